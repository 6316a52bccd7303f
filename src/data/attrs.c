// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "data/attrs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define FLAGS_OFF 40

static uint64_t reverse_bits(uint64_t v)
{
	uint64_t r = 0;
	int i;

	for (i = 0; i < 64; i++)
		r |= (v >> i & 1) << (63 - i);
	return r;
}

/* linux/perf_event.h: perf_event_attr, which may have any length. */
static void parse_attr(struct recorded_event *ev, struct bytes *b)
{
	struct perf_event_attr *a = &ev->attr;
	const uint16_t one = 1;

	a->type = bytes__u32(b);
	a->size = bytes__u32(b);
	a->config = bytes__u64(b);
	a->sample_period = bytes__u64(b);
	a->sample_type = bytes__u64(b);
	a->read_format = bytes__u64(b);
	/* On machines of the other byte order bit fields start at the other end of the word. */
	ev->flags = bytes__u64(b);
	if (b->swap != !*(const uint8_t *)&one)
		ev->flags = reverse_bits(ev->flags);
	memcpy((char *)a + FLAGS_OFF, &ev->flags, 8);
	a->wakeup_events = bytes__u32(b);
	a->bp_type = bytes__u32(b);
	a->config1 = bytes__u64(b);
	a->config2 = bytes__u64(b);
	a->branch_sample_type = bytes__u64(b);
	a->sample_regs_user = bytes__u64(b);
	a->sample_stack_user = bytes__u32(b);
	a->clockid = (int32_t)bytes__u32(b);
	a->sample_regs_intr = bytes__u64(b);
	a->aux_watermark = bytes__u32(b);
	a->sample_max_stack = bytes__u16(b);
}

static uint8_t words(uint64_t type, uint64_t fields)
{
	return (uint8_t)__builtin_popcountll(type & fields);
}

/* Computes the offsets at which the kernel's perf_output_sample() writes the fields. */
static void find_places(struct recorded_event *ev)
{
	const uint64_t task = PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	const uint64_t front = PERF_SAMPLE_IDENTIFIER | task | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
			       PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_PERIOD;
	uint64_t type = ev->attr.sample_type;

	ev->id_word = ev->trailer_id_word = -1;
	if (type & PERF_SAMPLE_IDENTIFIER) {
		ev->id_word = 0;
		ev->trailer_id_word = 1;
	} else if (type & PERF_SAMPLE_ID) {
		ev->id_word = (int8_t)words(type, task | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR);
		ev->trailer_id_word =
			(int8_t)(1 + words(type, PERF_SAMPLE_CPU | PERF_SAMPLE_STREAM_ID));
	}
	ev->time_off = (uint8_t)(8 + 8 * words(type, PERF_SAMPLE_IDENTIFIER | task));
	ev->front_sz = (uint8_t)(8 * words(type, front));
}

int attrs__add(struct attrs *attrs, const void *attr, size_t sz, bool swap)
{
	struct bytes b = bytes__of(attr, sz, swap);

	if (sz < PERF_ATTR_SIZE_VER0)
		return -EBADMSG;
	if (attrs->cnt >= ATTRS_MAX)
		return -E2BIG;
	if (array__reserve((void **)&attrs->events, &attrs->cap, attrs->cnt + 1,
			   sizeof(*attrs->events)))
		return -ENOMEM;
	memset(&attrs->events[attrs->cnt], 0, sizeof(*attrs->events));
	attrs->events[attrs->cnt].idx = (uint32_t)attrs->cnt;
	parse_attr(&attrs->events[attrs->cnt], &b);
	attrs->want_build_ids |= attrs->events[attrs->cnt].attr.build_id;
	find_places(&attrs->events[attrs->cnt++]);
	return 0;
}

int attrs__add_ids(struct attrs *attrs, size_t idx, struct bytes *b)
{
	uint32_t *slot;

	while (bytes__left(b) >= 8) {
		slot = u64map__slot(&attrs->by_id, bytes__u64(b));
		if (!slot)
			return -ENOMEM;
		*slot = (uint32_t)idx;
	}
	return 0;
}

struct recorded_event *attrs__make(struct attrs *attrs, const struct perf_event_attr *attr,
				   const char *name)
{
	struct recorded_event *ev;

	if (attrs__add(attrs, attr, sizeof(*attr), false))
		return NULL;
	attrs->made_cnt++;
	ev = &attrs->events[attrs->cnt - 1];
	ev->is_made = true;
	return attrs__set_name(ev, name, strlen(name)) ? NULL : ev;
}

struct recorded_event *attrs__find(const struct attrs *attrs, uint64_t id)
{
	uint32_t idx = u64map__get(&attrs->by_id, id);

	return idx < attrs->cnt ? &attrs->events[idx] : NULL;
}

int attrs__set_name(struct recorded_event *ev, const char *name, size_t len)
{
	char *copy = strndup(name, len);

	if (!copy)
		return -ENOMEM;
	free(ev->name);
	ev->name = copy;
	return 0;
}

void attrs__free(struct attrs *attrs)
{
	size_t i;

	for (i = 0; i < attrs->cnt; i++) {
		free(attrs->events[i].name);
		free(attrs->events[i].group_name);
	}
	free(attrs->events);
	u64map__free(&attrs->by_id);
	memset(attrs, 0, sizeof(*attrs));
}

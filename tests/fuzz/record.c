// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Records of the kernel alone: how two events were opened, then records, each
 * parsed as whoever reads a ring or a recording does. Every field must lie in
 * its record.
 */
#include "fuzz.h"

#include "data/attrs.h"
#include "data/bytes.h"
#include "data/perf_sample.h"
#include "data/record_layout.h"
#include "machine/proc_event.h"
#include "machine/tasks.h"
#include "perf_file_make.h"

#define ATTR_SZ 128

static volatile uint64_t sink;

static void fuzz_setup(void)
{
}

/* swap, both attrs, the records. */
static void fuzz_seeds(void)
{
	static struct made made;
	char name[16];
	uint8_t swap;

	for (swap = 0; swap < 2; swap++) {
		made.sz = 0;
		made.swap = swap;
		made_bytes(&made, &swap, 1);
		made_attr(&made, false);
		made_attr(&made, true);
		made_records(&made);
		snprintf(name, sizeof(name), "%u", swap);
		fuzz_seed(name, made.p, made.sz);
	}
}

static void check_bytes(const struct perf_event_header *hdr, const void *data, uint64_t sz)
{
	const uint8_t *p = data, *begin = (const uint8_t *)hdr, *end = begin + hdr->size;

	if (!sz)
		return;
	fuzz_check(p >= begin && p < end && sz <= (uint64_t)(end - p));
	sink += p[0] + p[sz - 1];
}

static void check_words(const struct perf_event_header *hdr, const struct perf_words *w)
{
	fuzz_check(w->cnt < 8192);
	check_bytes(hdr, w->p, w->cnt * 8);
	if (w->cnt)
		sink += perf_words__get(w, w->cnt - 1);
}

static void check_sample(const struct perf_event_header *hdr, const struct perf_sample *s)
{
	check_words(hdr, &s->read);
	check_words(hdr, &s->callchain);
	check_words(hdr, &s->branches);
	check_words(hdr, &s->branch_counters);
	check_words(hdr, &s->user_regs);
	check_words(hdr, &s->intr_regs);
	check_bytes(hdr, s->raw, s->raw_sz);
	check_bytes(hdr, s->user_stack, s->user_stack_sz);
	check_bytes(hdr, s->aux, s->aux_sz);
}

static void check_text(const struct perf_event_header *hdr, const char *text)
{
	if (text)
		check_bytes(hdr, text, strlen(text) + 1);
}

static void one_record(const struct attrs *attrs, struct tasks *tasks,
		       struct perf_event_header *hdr, bool swap)
{
	struct perf_sample s;
	struct proc_event ev;
	uint64_t time_ns;

	if (swap && hdr->type != PERF_RECORD_SAMPLE)
		record_layout__swap(hdr);
	fuzz_check(record_layout__body_end(hdr) <= 65536 + 8);
	time_ns = perf_sample__time(attrs, swap, hdr);
	if (!perf_sample__parse(&s, attrs, swap, hdr) && (s.have & PERF_SAMPLE_TIME))
		fuzz_check(s.time_ns == time_ns);
	check_sample(hdr, &s);
	proc_event__parse(hdr, &ev);
	check_text(hdr, ev.path);
	check_text(hdr, ev.name);
	if (ev.build_id)
		check_bytes(hdr, ev.build_id, ev.build_id_sz);
	check_bytes(hdr, ev.comm, ev.comm_sz);
	tasks__on_event(tasks, &ev, time_ns);
	fuzz_check(tasks__comm(tasks, (int32_t)s.tid));
}

static void all_records(struct fuzz_bytes *b, const struct attrs *attrs, bool swap)
{
	struct tasks *tasks = tasks__new();

	tasks__set_offline(tasks);
	while (b->left >= sizeof(struct perf_event_header)) {
		struct perf_event_header hdr, *copy;

		memcpy(&hdr, b->p, sizeof(hdr));
		if (swap) {
			hdr.type = __builtin_bswap32(hdr.type);
			hdr.misc = __builtin_bswap16(hdr.misc);
			hdr.size = __builtin_bswap16(hdr.size);
		}
		if (hdr.size < sizeof(hdr) || hdr.size > b->left)
			hdr.size = (uint16_t)(b->left > 4096 ? 4096 : b->left);
		/* Exactly its bytes, and aligned. */
		copy = malloc(hdr.size);
		memcpy(copy, b->p, hdr.size);
		*copy = hdr;
		one_record(attrs, tasks, copy, swap);
		free(copy);
		b->p += hdr.size;
		b->left -= hdr.size;
	}
	tasks__free(tasks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t sz)
{
	struct fuzz_bytes b = { data, sz };
	bool swap = fuzz_take(&b, 1) & 1;
	struct attrs attrs = { 0 };
	unsigned int i;

	if (b.left < 2 * ATTR_SZ)
		return -1;
	for (i = 0; i < 2; i++, b.p += ATTR_SZ, b.left -= ATTR_SZ) {
		uint64_t id = swap ? __builtin_bswap64(MADE_ID + i) : MADE_ID + i;
		struct bytes ids = bytes__of(&id, sizeof(id), swap);

		if (!attrs__add(&attrs, b.p, ATTR_SZ, swap))
			attrs__add_ids(&attrs, attrs.cnt - 1, &ids);
	}
	if (attrs.cnt)
		all_records(&b, &attrs, swap);
	attrs__free(&attrs);
	return 0;
}

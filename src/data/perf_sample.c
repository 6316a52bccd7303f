// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "data/perf_sample.h"

#include <errno.h>

#include "data/bytes.h"
#include "data/record_layout.h"

/* All sample fields known here, newer than the oldest supported headers. */
#define SAMPLE_KNOWN ((1ULL << 25) - 1)
#define FORMAT_LOST (1ULL << 4) /* PERF_FORMAT_LOST, from 6.0 */
#define BRANCH_COUNTERS (1ULL << 19) /* PERF_SAMPLE_BRANCH_COUNTERS, from 6.8 */
#define TRAILER                                                                                    \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |             \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

static struct perf_words take_words(struct bytes *b, uint64_t cnt)
{
	struct perf_words w = { NULL, 0, b->swap };

	if (cnt > bytes__left(b) / 8) {
		b->bad = true;
		b->p = b->end;
		return w;
	}
	w.p = bytes__take(b, cnt * 8);
	w.cnt = cnt;
	return w;
}

static size_t trailer_sz(uint64_t type)
{
	return 8u * (unsigned int)__builtin_popcountll(type & TRAILER);
}

/* Returns the size of a record's own fields, without the parts that the kernel did not write. */
static size_t size_of(const struct perf_event_header *hdr, uint64_t type)
{
	return record_layout__size(hdr, trailer_sz(type));
}

/* All events of a recording have their id at the same offset: the first attr determines it. */
static const struct recorded_event *event_of(const struct attrs *attrs, bool swap,
					     const struct perf_event_header *hdr)
{
	size_t words, at;
	const struct recorded_event *ev;
	uint64_t id;
	int word;

	if (attrs->cnt == attrs->made_cnt)
		return NULL;
	if (attrs->cnt - attrs->made_cnt == 1)
		return &attrs->events[0];
	words = size_of(hdr, attrs->events[0].attr.sample_type) / 8u - 1;
	word = hdr->type == PERF_RECORD_SAMPLE ? attrs->events[0].id_word
					       : attrs->events[0].trailer_id_word;
	if (word < 0)
		return &attrs->events[0];
	at = hdr->type == PERF_RECORD_SAMPLE ? (size_t)word : words - (size_t)word;
	if (at >= words)
		return NULL;
	memcpy(&id, (const char *)(hdr + 1) + at * 8, 8);
	ev = attrs__find(attrs, swap ? __builtin_bswap64(id) : id);
	/* Records that perf synthesized have the id 0. */
	return ev || hdr->type == PERF_RECORD_SAMPLE ? ev : &attrs->events[0];
}

static void parse_trailer(struct perf_sample *s, struct bytes b, uint64_t type)
{
	size_t sz = trailer_sz(type);

	if (bytes__left(&b) < sz)
		return;
	bytes__take(&b, bytes__left(&b) - sz);
	if (type & PERF_SAMPLE_TID) {
		s->pid = bytes__u32(&b);
		s->tid = bytes__u32(&b);
	}
	if (type & PERF_SAMPLE_TIME)
		s->time_ns = bytes__u64(&b);
	if (type & PERF_SAMPLE_ID)
		s->id = bytes__u64(&b);
	if (type & PERF_SAMPLE_STREAM_ID)
		s->stream_id = bytes__u64(&b);
	if (type & PERF_SAMPLE_CPU) {
		s->cpu = bytes__u32(&b);
		bytes__u32(&b);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		s->id = bytes__u64(&b);
	s->have = type & TRAILER;
}

static void parse_read(struct perf_sample *s, struct bytes *b, uint64_t format)
{
	unsigned int times, each;
	struct bytes head = *b;

	times = (unsigned int)__builtin_popcountll(
		format & (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING));
	each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & FORMAT_LOST);
	s->read_format = format;
	if (format & PERF_FORMAT_GROUP) {
		uint64_t cnt = bytes__u64(&head);

		if (cnt > bytes__left(b) / 8)
			b->bad = true;
		else
			s->read = take_words(b, 1 + times + cnt * each);
	} else {
		s->read = take_words(b, times + each);
	}
}

static void parse_branches(struct perf_sample *s, struct bytes *b, uint64_t branch_type)
{
	uint64_t cnt = bytes__u64(b);

	if (branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		s->branch_hw_idx = bytes__u64(b);
	if (cnt > bytes__left(b) / 24) {
		b->bad = true;
		return;
	}
	s->branches = take_words(b, cnt * 3);
	if (branch_type & BRANCH_COUNTERS)
		s->branch_counters = take_words(b, cnt);
}

static void parse_user_stack(struct perf_sample *s, struct bytes *b)
{
	uint64_t sz = bytes__u64(b);

	if (!sz)
		return;
	s->user_stack = bytes__take(b, sz);
	s->user_stack_sz = bytes__u64(b);
	if (!s->user_stack || s->user_stack_sz > sz)
		s->user_stack_sz = 0;
}

static void parse_raw(struct perf_sample *s, struct bytes *b)
{
	s->raw_sz = bytes__u32(b);
	s->raw = bytes__take(b, s->raw_sz);
	if (!s->raw)
		s->raw_sz = 0;
	/* The size is a u32; size and data together end on a multiple of 8 bytes. */
}

static uint64_t parse_regs(struct perf_words *regs, struct bytes *b, uint64_t mask)
{
	uint64_t abi = bytes__u64(b);

	if (abi)
		*regs = take_words(b, (unsigned int)__builtin_popcountll(mask));
	return abi;
}

/* Parses the front of a record that is known to be complete. */
static void parse_whole_front(struct perf_sample *s, struct bytes *b, uint64_t type)
{
	const uint8_t *p = b->p;
	uint64_t ids;

#define NEXT(to)                                                                                   \
	do {                                                                                       \
		memcpy(&(to), p, 8);                                                               \
		p += 8;                                                                            \
	} while (0)
	if (type & PERF_SAMPLE_IDENTIFIER)
		NEXT(s->id);
	if (type & PERF_SAMPLE_IP)
		NEXT(s->ip);
	if (type & PERF_SAMPLE_TID) {
		memcpy(&s->pid, p, 4);
		memcpy(&s->tid, p + 4, 4);
		p += 8;
	}
	if (type & PERF_SAMPLE_TIME)
		NEXT(s->time_ns);
	if (type & PERF_SAMPLE_ADDR)
		NEXT(s->addr);
	if (type & PERF_SAMPLE_ID)
		NEXT(s->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		NEXT(s->stream_id);
	if (type & PERF_SAMPLE_CPU) {
		NEXT(ids);
		s->cpu = (uint32_t)ids;
	}
	if (type & PERF_SAMPLE_PERIOD)
		NEXT(s->period);
#undef NEXT
	b->p = p;
}

/* The fields are in the order of the kernel's perf_output_sample(). */
static void parse_front(struct perf_sample *s, struct bytes *b, uint64_t type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		s->id = bytes__u64(b);
	if (type & PERF_SAMPLE_IP)
		s->ip = bytes__u64(b);
	if (type & PERF_SAMPLE_TID) {
		s->pid = bytes__u32(b);
		s->tid = bytes__u32(b);
	}
	if (type & PERF_SAMPLE_TIME)
		s->time_ns = bytes__u64(b);
	if (type & PERF_SAMPLE_ADDR)
		s->addr = bytes__u64(b);
	if (type & PERF_SAMPLE_ID)
		s->id = bytes__u64(b);
	if (type & PERF_SAMPLE_STREAM_ID)
		s->stream_id = bytes__u64(b);
	if (type & PERF_SAMPLE_CPU) {
		s->cpu = bytes__u32(b);
		bytes__u32(b);
	}
	if (type & PERF_SAMPLE_PERIOD)
		s->period = bytes__u64(b);
}

static void parse_back(struct perf_sample *s, struct bytes *b, uint64_t type,
		       const struct perf_event_attr *attr)
{
	if (type & PERF_SAMPLE_READ)
		parse_read(s, b, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		s->callchain = take_words(b, bytes__u64(b));
	if (type & PERF_SAMPLE_RAW)
		parse_raw(s, b);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		parse_branches(s, b, attr->branch_sample_type);
	if (type & PERF_SAMPLE_REGS_USER)
		s->user_abi = parse_regs(&s->user_regs, b, attr->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		parse_user_stack(s, b);
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		s->weight = bytes__u64(b);
	if (type & PERF_SAMPLE_DATA_SRC)
		s->data_src = bytes__u64(b);
	if (type & PERF_SAMPLE_TRANSACTION)
		s->transaction = bytes__u64(b);
	if (type & PERF_SAMPLE_REGS_INTR)
		s->intr_abi = parse_regs(&s->intr_regs, b, attr->sample_regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		s->phys_addr = bytes__u64(b);
	if (type & PERF_SAMPLE_CGROUP)
		s->cgroup = bytes__u64(b);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		s->data_page_sz = bytes__u64(b);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		s->code_page_sz = bytes__u64(b);
	if (type & PERF_SAMPLE_AUX) {
		s->aux_sz = bytes__u64(b);
		s->aux = bytes__take(b, s->aux_sz);
		if (!s->aux)
			s->aux_sz = 0;
	}
}

int perf_sample__parse(struct perf_sample *s, const struct attrs *attrs, bool swap,
		       const struct perf_event_header *hdr)
{
	const struct recorded_event *ev = event_of(attrs, swap, hdr);
	struct bytes b = bytes__of(hdr + 1, hdr->size - sizeof(*hdr), swap);
	uint64_t type;

	memset(s, 0, sizeof(*s));
	if (!ev)
		return -ENOENT;
	s->event = ev;
	s->swap = swap;
	s->cpumode = hdr->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	type = ev->attr.sample_type;
	if (hdr->type != PERF_RECORD_SAMPLE) {
		b = bytes__of(hdr + 1, size_of(hdr, type) - sizeof(*hdr), swap);
		bytes__take(&b, record_layout__body_end(hdr) - sizeof(*hdr));
		if (ev->flags & ATTR_SAMPLE_ID_ALL)
			parse_trailer(s, b, type);
		return 0;
	}
	/* A fixed period is not in each sample. */
	s->period = ev->attr.sample_period;
	/* Fields of newer kernels are behind the known ones. */
	s->have = type & SAMPLE_KNOWN;
	if (!swap && bytes__left(&b) >= ev->front_sz)
		parse_whole_front(s, &b, type);
	else
		parse_front(s, &b, type);
	parse_back(s, &b, type, &ev->attr);
	return b.bad ? -EBADMSG : 0;
}

size_t perf_sample__trailer_sz(const struct perf_event_attr *attr)
{
	return attr->sample_id_all ? trailer_sz(attr->sample_type) : 0;
}

uint64_t perf_sample__time(const struct attrs *attrs, bool swap,
			   const struct perf_event_header *hdr)
{
	const struct recorded_event *ev;
	struct perf_sample s;
	uint64_t time_ns;
	size_t off;

	if (hdr->type != PERF_RECORD_SAMPLE)
		return perf_sample__parse(&s, attrs, swap, hdr) ? 0 : s.time_ns;
	ev = event_of(attrs, swap, hdr);
	if (!ev || !(ev->attr.sample_type & PERF_SAMPLE_TIME))
		return 0;
	off = ev->time_off;
	if (off + 8 > hdr->size)
		return 0;
	memcpy(&time_ns, (const char *)hdr + off, 8);
	return swap ? __builtin_bswap64(time_ns) : time_ns;
}

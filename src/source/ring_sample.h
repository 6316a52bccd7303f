/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The output of BPF programs: the event that writes it to a ring, and its layout there (wire.h). */
#ifndef BPFPERF_SOURCE_RING_SAMPLE_H
#define BPFPERF_SOURCE_RING_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>
#include <linux/types.h>

#include "bpf/wire.h"

/*
 * The attr of an event that bpf_perf_event_output() writes through: each output is one struct
 * ring_sample. The caller adds when the reader is woken.
 */
static inline struct perf_event_attr ring_sample__attr(void)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(struct perf_event_attr),
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.sample_type = PERF_SAMPLE_RAW,
		.sample_period = 1,
	};
}

/* PERF_RECORD_SAMPLE with PERF_SAMPLE_RAW. The reader must reject damaged ones. */
struct ring_sample {
	struct perf_event_header hdr;
	uint32_t raw_sz; /* bytes after this member, including padding */
	struct wire_out out;
	char recs[]; /* struct wire_rec … */
};

_Static_assert(offsetof(struct ring_sample, recs) % 8 == 0, "records are aligned");

/* Bytes of records in the sample; 0 if it is damaged or has none. */
static inline size_t ring_sample__recs_sz(const struct perf_event_header *hdr)
{
	const struct ring_sample *s = (const void *)hdr;

	if (hdr->size < sizeof(*s) || s->raw_sz < sizeof(s->out) ||
	    s->raw_sz > hdr->size - offsetof(struct ring_sample, out))
		return 0;
	return s->raw_sz - sizeof(s->out);
}

/*
 * The record at `at`, with `left` bytes remaining; NULL if it is cut or too short. *next_sz: bytes
 * to the next record.
 */
static inline const struct wire_rec *wire_rec__at(const void *at, size_t left, size_t *next_sz)
{
	const struct wire_rec *rec = at;

	if (left < sizeof(*rec) || rec->sz < sizeof(*rec) || rec->sz > left)
		return NULL;
	*next_sz = ((size_t)rec->sz + 7) & ~(size_t)7;
	if (*next_sz > left)
		*next_sz = left;
	return rec;
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* How a BPF program's record (wire.h) lies in a ring. */
#ifndef BPFPERF_SOURCE_RING_SAMPLE_H
#define BPFPERF_SOURCE_RING_SAMPLE_H

#include <stdint.h>

#include <linux/perf_event.h>
#include <linux/types.h>

#include "bpf/wire.h"

/* PERF_RECORD_SAMPLE with PERF_SAMPLE_RAW. Damaged ones are the reader's to refuse: check raw_sz against hdr.size. */
struct ring_sample {
	struct perf_event_header hdr;
	uint32_t raw_sz; /* bytes of raw, padding included */
	struct wire_head raw; /* what every record begins with */
} __attribute__((packed, aligned(4)));

/* Bytes before the record itself. */
#define RING_SAMPLE_HEAD_SZ __builtin_offsetof(struct ring_sample, raw)

/* Does hdr.size hold a record of at least sz bytes, and all of raw_sz? */
static inline int ring_sample__holds(const struct perf_event_header *hdr, uint32_t sz)
{
	const struct ring_sample *s = (const void *)hdr;

	return hdr->size >= RING_SAMPLE_HEAD_SZ + sz && s->raw_sz >= sz &&
	       s->raw_sz <= hdr->size - RING_SAMPLE_HEAD_SZ;
}

#endif

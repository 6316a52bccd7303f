/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One record on its way from a source (source/source.h) through machine and decoder to a sink. Live
 * rings, kernel rings and files all hand on this struct, so that what follows does not ask which it
 * was.
 */
#ifndef BPFPERF_DATA_RECORD_H
#define BPFPERF_DATA_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "data/perf_file.h"

struct aux_data;
struct kernel_ring;
struct wire_rec;

enum record_kind {
	RECORD_WIRE, /* written by a BPF program: wire */
	RECORD_SAMPLE, /* PERF_RECORD_SAMPLE: hdr */
	RECORD_PROC, /* any other record of the kernel (machine/machine.h takes it apart): hdr */
	/* samples were lost here: live lost_cnt; files hdr, PERF_RECORD_LOST(_SAMPLES) */
	RECORD_LOST,
	RECORD_COUNTERS, /* a row put in by live_source__add(): wire */
	RECORD_ROUND, /* files: the end of a round: hdr */
	RECORD_BATCH, /* kernel rings: whole records as the kernel wrote them: ring, hdr, sz bytes */
	RECORD_AUX, /* kernel rings: bytes of an AUX area: ring, aux */
	RECORD_OTHER, /* files: any other record that perf itself writes: hdr */
};

struct record {
	uint64_t time_ns; /* live: CLOCK_MONOTONIC; files: the recording's clock, 0: no time */
	union {
		uint64_t
			off; /* files: bytes from the beginning; of a packed record, of its package */
		const struct kernel_ring *ring; /* source/kernel_rings.h */
	};
	uint32_t cpu; /* live; files have it in hdr */
	enum record_kind kind;
	/*
	 * 8-byte aligned, whole, in this machine's byte order but for samples; valid during the
	 * call.
	 */
	union {
		const struct wire_rec *wire;
		const struct perf_event_header *hdr;
		const struct aux_data *aux; /* source/aux_ring.h */
	};
	union {
		uint64_t lost_cnt; /* RECORD_LOST of live rings */
		size_t sz; /* RECORD_BATCH */
	};
};

/* 0: go on. Else reading stops and returns it. */
typedef int (*record_fn)(void *ctx, const struct record *rec);

/* The kind of a file's record, by its header's type. */
static inline enum record_kind record_kind__of(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_SAMPLE:
		return RECORD_SAMPLE;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return RECORD_LOST;
	case PERF_USER_FINISHED_ROUND:
		return RECORD_ROUND;
	default:
		return type < PERF_USER_HEADER_ATTR ? RECORD_PROC : RECORD_OTHER;
	}
}

static inline void record__set_hdr(struct record *rec, const struct perf_event_header *hdr)
{
	rec->hdr = hdr;
	rec->kind = record_kind__of(hdr->type);
}

#endif

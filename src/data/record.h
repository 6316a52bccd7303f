/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One record on its way from a source (source/source.h) through machine and decoder to a sink. Live
 * rings, kernel rings and files all hand on this struct, so later stages do not depend on the
 * source.
 */
#ifndef BPFPERF_DATA_RECORD_H
#define BPFPERF_DATA_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "data/lost.h"
#include "data/perf_file.h"

struct aux_data;
struct kernel_ring;
struct wire_rec;

enum record_kind {
	RECORD_WIRE, /* written by a BPF program: wire */
	RECORD_SAMPLE, /* PERF_RECORD_SAMPLE: hdr */
	RECORD_PROC, /* any other kernel record (parsed by machine/machine.h): hdr */
	/*
	 * Samples were lost here: live lost_cnt of one cause; files hdr,
	 * PERF_RECORD_LOST(_SAMPLES).
	 */
	RECORD_LOST,
	RECORD_COUNTERS, /* a row inserted by live_source__add(): wire */
	RECORD_ROUND, /* files: the end of a round: hdr */
	RECORD_BATCH, /* kernel rings: whole records unchanged: ring, hdr, sz bytes */
	RECORD_AUX, /* kernel rings: bytes of an AUX area: ring, aux */
	RECORD_OTHER, /* files: any other record written by perf itself: hdr */
};

struct record {
	uint64_t time_ns; /* live: CLOCK_MONOTONIC; files: the recording's clock; 0: no time */
	union {
		/* files: bytes from the beginning; for a packed record, offset of its package */
		uint64_t off;
		const struct kernel_ring *ring; /* source/kernel_rings.h */
		enum lost_cause cause; /* RECORD_LOST of live rings */
	};
	/* live rings: all records of all CPUs up to this time have been read; 0: not known */
	uint64_t settled_ns;
	uint32_t cpu; /* live only; in files it is part of hdr */
	enum record_kind kind;
	/*
	 * 8-byte aligned, whole, in this machine's byte order except for samples; valid during the
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

/* Receives a record. Returns 0 to go on; any other value stops reading and is returned. */
typedef int (*record_fn)(void *ctx, const struct record *rec);

/* Maps the header's type of a file's record to a kind. */
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

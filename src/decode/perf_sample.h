/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * PERF_RECORD_SAMPLE and the trailers of sample_id_all: the bytes → fields, as
 * the event was opened (perf_event_open(2)). Nothing outside of the record is
 * read; of a record that is too short what stood before is there.
 */
#ifndef BPFPERF_DECODE_PERF_SAMPLE_H
#define BPFPERF_DECODE_PERF_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "data/attrs.h"

/* Numbers of a record that lie together: of the record's byte order, at any alignment. */
struct perf_words {
	const uint8_t *p;
	uint64_t cnt;
	bool swap;
};

struct perf_callchain;

struct perf_sample {
	const struct recorded_event *event; /* NULL: of none of the recording's */
	bool swap; /* its raw data is of the other byte order */
	uint64_t have; /* PERF_SAMPLE_* of what is filled in */
	uint64_t id, stream_id, ip, time_ns, addr, period;
	/* (period: where the sample does not tell, the event's.) */
	uint32_t pid, tid, cpu;
	uint64_t read_format; /* how `read` is made */
	struct perf_words read; /* counts, times, ids and losses, as read_format says */
	struct perf_words callchain; /* addresses and PERF_CONTEXT_* marks, innermost first */
	const uint8_t *raw;
	uint32_t raw_sz;
	uint64_t branch_hw_idx;
	struct perf_words branches; /* from, to, flags of each: cnt is 3 × their number */
	struct perf_words branch_counters; /* one of each; cnt 0: none */
	uint64_t user_abi, intr_abi; /* PERF_SAMPLE_REGS_ABI_* */
	struct perf_words user_regs, intr_regs; /* by the bits of the attr's masks */
	const uint8_t *user_stack;
	uint64_t user_stack_sz; /* bytes the kernel has really copied */
	/* With PERF_SAMPLE_WEIGHT_STRUCT the low 32 bits, then twice 16. */
	uint64_t weight;
	uint64_t data_src, transaction, phys_addr, cgroup, data_page_sz, code_page_sz;
	const uint8_t *aux;
	uint64_t aux_sz;
	uint16_t cpumode; /* PERF_RECORD_MISC_CPUMODE_MASK of the header */
	/* Set by perf_decoder: the decoded stack, in the form that was asked for. */
	const struct perf_callchain *stack;
};

static inline uint64_t perf_words__get(const struct perf_words *w, uint64_t i)
{
	uint64_t v;

	memcpy(&v, w->p + i * 8, 8);
	return w->swap ? __builtin_bswap64(v) : v;
}

/*
 * Fills *s from a record of any type: a sample's fields, or of another kernel record what its trailer
 * tells of pid, time, id and CPU. `swap`: the recording is of the other byte order (of other records
 * the fields are already in this machine's, the trailer is not). 0; -EBADMSG: the record is shorter
 * than its fields; -ENOENT: its event is unknown.
 */
int perf_sample__parse(struct perf_sample *s, const struct attrs *attrs, bool swap,
		       const struct perf_event_header *hdr);

/* The record's time alone, which is asked before its turn; 0: it has none. */
uint64_t perf_sample__time(const struct attrs *attrs, bool swap,
			   const struct perf_event_header *hdr);

#endif

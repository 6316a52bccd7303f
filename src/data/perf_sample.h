/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * PERF_RECORD_SAMPLE and the trailers of sample_id_all: bytes → fields, by the attr of the event
 * (perf_event_open(2)). Nothing outside the record is read; a truncated record yields the fields
 * before the end.
 */
#ifndef BPFPERF_DATA_PERF_SAMPLE_H
#define BPFPERF_DATA_PERF_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "data/attrs.h"
#include "data/synth_event.h"

/* A row of u64 in a record: in the record's byte order, unaligned. */
struct perf_words {
	const uint8_t *p;
	uint64_t cnt;
	bool swap;
};

struct perf_callchain;

struct perf_sample {
	const struct recorded_event *event; /* NULL: no event of the recording */
	bool swap; /* its raw data is in the other byte order */
	uint64_t have; /* PERF_SAMPLE_* of the fields that are set */
	uint64_t id, stream_id, ip, time_ns, addr, period;
	/* (period: the event's, if the sample has none.) */
	uint32_t pid, tid, cpu;
	uint64_t read_format; /* layout of `read` */
	struct perf_words read; /* counts, times, ids and losses, in the layout of read_format */
	struct perf_words callchain; /* addresses and PERF_CONTEXT_* markers, innermost first */
	const uint8_t *raw;
	uint32_t raw_sz;
	uint64_t branch_hw_idx;
	struct perf_words branches; /* from, to and flags of each branch: cnt is 3 × their number */
	struct perf_words branch_counters; /* one for each branch; cnt 0: none */
	uint64_t user_abi, intr_abi; /* PERF_SAMPLE_REGS_ABI_* */
	struct perf_words user_regs, intr_regs; /* one value for each bit in the attr's masks */
	const uint8_t *user_stack;
	uint64_t user_stack_sz; /* number of bytes that the kernel has copied */
	/* With PERF_SAMPLE_WEIGHT_STRUCT: 32 low bits, then two fields of 16. */
	uint64_t weight;
	uint64_t data_src, transaction, phys_addr, cgroup, data_page_sz, code_page_sz;
	const uint8_t *aux;
	uint64_t aux_sz;
	/* Made of a processor's trace (itrace/wire.h): event->is_made. */
	uint32_t insn_flags; /* enum itrace_flag */
	bool is_at_ip; /* ptwrite, exstop: the trace says at which instruction */
	struct cbr_unit cbr_unit; /* (what an event of PERF_TYPE_SYNTH says is in addr) */
	const uint8_t *insn; /* the instruction at ip, insn_len bytes; 0: unknown */
	uint8_t insn_len;
	uint32_t popped, pushed; /* frames that a branch left and entered */
	uint32_t depth; /* frames of the thread, with what the branch has pushed */
	uint16_t cpumode; /* PERF_RECORD_MISC_CPUMODE_MASK of the header */
	/* Set by perf_decoder: the decoded stack in the configured form. */
	const struct perf_callchain *stack;
};

static inline uint64_t perf_words__get(const struct perf_words *w, uint64_t i)
{
	uint64_t v;

	memcpy(&v, w->p + i * 8, 8);
	return w->swap ? __builtin_bswap64(v) : v;
}

/*
 * Fills *s from a record of any type: the fields of a sample, or the trailer of another kernel
 * record (pid, time, id, CPU). `swap`: the recording is in the other byte order (the fields of
 * other records are already converted, the trailer is not). 0; -EBADMSG: the record is shorter than
 * its fields; -ENOENT: its event is unknown.
 */
int perf_sample__parse(struct perf_sample *s, const struct attrs *attrs, bool swap,
		       const struct perf_event_header *hdr);

/* Bytes of the trailer that the event's records have which are no samples. */
size_t perf_sample__trailer_sz(const struct perf_event_attr *attr);

/* Returns only the time of a record, which is needed to sort it; 0: it has none. */
uint64_t perf_sample__time(const struct attrs *attrs, bool swap,
			   const struct perf_event_header *hdr);

/* The weight of the sample: of a memory access, how long it took, in cycles. */
static inline uint64_t perf_sample__weight(const struct perf_sample *s)
{
	return s->have & PERF_SAMPLE_WEIGHT_STRUCT ? (uint32_t)s->weight : s->weight;
}

#endif

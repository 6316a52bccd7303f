/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The pair of all system calls, by their number and the task's name, without a record and generated
 * code: the fastest that there is, for the events that are the most frequent. Programs of system
 * calls never run inside of another one, so they need no level.
 */
#ifndef BPFPERF_SPAN_CALLS_BPF_H
#define BPFPERF_SPAN_CALLS_BPF_H

#include "filter.bpf.h"
#include "span.bpf.h"

/* 0: there is no such pair; else its index + 1. */
const volatile __u32 span_calls __weak = 0;
/* Positions of the call's number and of the task's name in a row; 0: rows are not by it. */
const volatile __u8 span_call_nr_at __weak = 0;
const volatile __u8 span_call_comm_at __weak = 0;

/* Is the call that of a traced task? Stores the thread's id in the kernel. */
static __always_inline _Bool span_call_wanted(struct slot *s, __u32 *thread)
{
	if (!wanted(s))
		return 0;
	if (span_late && (!is_of_traced(s) || !is_of_owner()))
		return 0;
	*thread = pid_ns_inum ? (__u32)bpf_get_current_pid_tgid() : s->tid;
	return 1;
}

/* A thread's first call: once per thread, so the environment of a level may be taken. */
static __always_inline void span_call_insert(struct wire_cpu *c, const __u64 *match,
					     struct wire_span_counts *counts, __u64 nr)
{
	struct wire_span *span = &c->env[level_index(c->level)].span;
	struct span_start *start;

	c->level++;
	barrier();
	start = span_claim(match, span->row, span);
	if (start) {
		start->from[WIRE_SPAN_REST] = nr;
		start->start_ns = bpf_ktime_get_ns();
	} else {
		span->from[WIRE_SPAN_REST] = nr;
		span->start_ns = bpf_ktime_get_ns();
		if (bpf_map_update_elem(&span_starts, match, &span->start_ns, BPF_NOEXIST))
			counts->refused[0]++;
	}
	barrier();
	c->level--;
}

static __noinline int span_call_begin(__u64 nr)
{
	__u64 match[WIRE_SPAN_MATCH] = { span_calls - 1 };
	__u32 pair = span_calls - 1, thread;
	struct wire_span_counts *counts;
	struct span_start *start;
	struct slot s;

	if (!span_call_wanted(&s, &thread))
		return 0;
	counts = bpf_map_lookup_elem(&span_counts, &pair);
	if (!counts)
		return 0;
	counts->starts[0]++;
	match[1] = thread;
	start = span_find(match);
	if (!start) {
		span_call_insert(s.cpu, match, counts, nr);
		return 0;
	}
	if (start->start_ns)
		counts->overwritten[0]++;
	start->from[WIRE_SPAN_REST] = nr;
	start->start_ns = bpf_ktime_get_ns();
	return 0;
}

/* Fills in a row of --by, or of the call's number. */
static __always_inline void span_call_row(__u64 *row, __u64 nr)
{
	__u32 w;

#pragma unroll
	for (w = WIRE_SPAN_REST; w < WIRE_SPAN_ROW; w++)
		if (w < span_words)
			row[w] = 0;
	if (span_call_nr_at)
		row[span_call_nr_at & (WIRE_SPAN_ROW - 1)] = nr;
	if (span_call_comm_at)
		bpf_get_current_comm(&row[span_call_comm_at & (WIRE_SPAN_ROW - 1)],
				     2 * sizeof(*row));
}

static __noinline int span_call_end(void)
{
	__u64 match[WIRE_SPAN_MATCH] = { span_calls - 1 }, *row;
	__u64 now_ns = bpf_ktime_get_ns(), start_ns;
	__u32 pair = span_calls - 1, thread;
	struct wire_span_counts *counts;
	struct span_start *start;
	struct slot s;

	if (!span_call_wanted(&s, &thread))
		return 0;
	counts = bpf_map_lookup_elem(&span_counts, &pair);
	if (!counts)
		return 0;
	counts->ends[0]++;
	match[1] = thread;
	start = span_find(match);
	if (!start || !start->start_ns) {
		counts->without_start[0]++;
		return 0;
	}
	start_ns = start->start_ns;
	start->start_ns = 0;
	/* An interrupt's program may count now, too; it finds that the level is taken. */
	row = s.cpu->env[level_index(s.cpu->level)].span.row;
	s.cpu->level++;
	barrier();
	span_call_row(row, start->from[WIRE_SPAN_REST]);
	span_count(counts, row, pair, now_ns > start_ns ? now_ns - start_ns : 0, 0);
	barrier();
	s.cpu->level--;
	return 0;
}

#endif

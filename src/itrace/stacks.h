/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Call stacks and last branches of threads, from the branches of a trace, in the order of time. */
#ifndef BPFPERF_ITRACE_STACKS_H
#define BPFPERF_ITRACE_STACKS_H

#include <stdint.h>

#include "itrace/wire.h"
#include "util/u64map.h"

/* Frames that are kept of a thread: of a deeper stack, the outermost are forgotten. */
#define ITRACE_STACK_MAX 1024

struct itrace_stack {
	uint64_t returns[ITRACE_STACK_MAX]; /* where each frame returns to, outermost first */
	uint32_t cnt;
	/* A ring of the newest branches: last[last_at - 1 - i] is the i-th newest. */
	struct itrace_last {
		uint64_t from, to, flags; /* as struct perf_branch_entry, perf_event_open(2) */
	} * last;
	uint32_t last_cnt, last_at;
};

struct itrace_stacks {
	struct u64map by_tid; /* tid → index */
	struct itrace_stack **stacks;
	size_t cnt, cap;
	uint32_t last_max; /* branches that are kept of a thread; 0: none */
};

/* How a branch has changed the stack of its thread. */
struct itrace_change {
	uint32_t popped, pushed; /* frames; both: a return into another function's call */
	uint32_t depth; /* frames behind it */
};

/* last_max: branches that are kept of each thread. */
void itrace_stacks__init(struct itrace_stacks *s, uint32_t last_max);
void itrace_stacks__free(struct itrace_stacks *s);
/* Follows a branch: calls, returns, interrupts. 0 or -ENOMEM. */
int itrace_stacks__branch(struct itrace_stacks *s, const struct itrace_item *item,
			  struct itrace_change *change);
/*
 * Items of the thread are missing, or of any thread (tid -1): the frames are not known any more.
 * Returns their number.
 */
uint32_t itrace_stacks__forget(struct itrace_stacks *s, int32_t tid);
/*
 * Writes the callchain of a thread at ip into chain, as perf records have it: innermost first, with
 * PERF_CONTEXT_* before the addresses of each side; at most max frames, 2 * max + 1 words. Returns
 * the number of words.
 */
uint32_t itrace_stacks__chain(const struct itrace_stacks *s, int32_t tid, uint64_t ip, uint32_t max,
			      uint64_t *chain);

/* Keeps a branch. 0 or -ENOMEM. */
int itrace_stacks__keep(struct itrace_stacks *s, const struct itrace_item *item);
/* Writes the branches that are kept of a thread, newest first. Returns their number. */
uint32_t itrace_stacks__last(const struct itrace_stacks *s, int32_t tid, struct itrace_last *last);

#endif

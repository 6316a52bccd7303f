/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The critical path: from the end of a thread backwards in time, and from each thread that was
 * woken to the thread that woke it. Its steps follow each other without a gap, so they sum up to
 * the time they are of: to shorten the run, a step of the path must become shorter.
 */
#ifndef BPFPERF_WHY_PATH_H
#define BPFPERF_WHY_PATH_H

#include "why/index.h"

/* A part of the path in one thread and state, as it is found. */
struct why_step {
	uint64_t begin_ns, end_ns;
	uint32_t thread;
	/* The absence it is a part of; on a CPU the one after it, WHY_NONE: there is none. */
	uint32_t absence;
	/*
	 * The absence of another thread, which ended when this one woke it: that thread waited for
	 * this one meanwhile. WHY_NONE: none did.
	 */
	uint32_t waiter;
	uint8_t kind; /* enum why_kind; WHY_USER for all time on a CPU */
};

/* A step as it is kept: a path may have more than a million. */
struct why_leg {
	uint64_t begin_ns; /* it ends where the one after it begins */
	uint32_t thread;
	uint32_t kind; /* enum why_kind */
};

/* Handles a step; 0 or -ENOMEM. */
typedef int (*why_step_fn)(void *ctx, const struct why_step *step);

struct why_path {
	struct why_leg *legs; /* the last one of time first */
	size_t cnt, cap;
	uint64_t hop_cnt; /* how often it goes from one thread to another */
	uint64_t begin_ns, end_ns;
	bool is_cut; /* its beginning is no longer kept */
};

/* When leg i ends. */
static inline uint64_t why_path__leg_end(const struct why_path *path, size_t i)
{
	return i ? path->legs[i - 1].begin_ns : path->end_ns;
}

/*
 * Finds the path that ends in a thread at end_ns, back to begin_ns at most, in place of the one
 * before, and calls fn for each step. 0 or -ENOMEM.
 */
int why_path__find(struct why_path *path, const struct why_index *ix, uint32_t thread,
		   uint64_t begin_ns, uint64_t end_ns, why_step_fn fn, void *ctx);
void why_path__free(struct why_path *path);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Shared by perf_counters.c, perf_counters_open.c and perf_counters_user.c. */
#ifndef BPFPERF_PERF_PERF_COUNTERS_PRIV_H
#define BPFPERF_PERF_PERF_COUNTERS_PRIV_H

#include "perf/evset.h"
#include "perf/perf_counters.h"
#include "selfmon/bpfperf.h"

/* Values of an event's cells in the evset. Each array has one entry per cell. */
struct counter {
	struct counter_count *counts; /* what the kernel's events have counted */
	/*
	 * An event that is inherited counts all the time (perf_counters.c): its counts at the last
	 * perf_counters__disable(), and what came until the next perf_counters__enable().
	 */
	struct counter_count *held, *held_back;
	bool *in_error;
	struct counter_refusal refusal;
	struct bpfperf_counter *pages; /* pages for reads in user space; else NULL */
	bool is_other; /* its values are those of perf_counters.other */
};

struct perf_counters {
	struct evset set; /* the events in order, then the clock */
	struct counter *counters; /* by event of the set */
	/*
	 * The clock counts how long threads ran on certain CPUs, since to the kernel an event is
	 * enabled also while its thread is on another CPU. False: threads on any CPU, or all tasks
	 * of CPUs.
	 */
	bool has_clock;
	void *buf; /* buffer to read the largest group */
	size_t buf_sz;
	bool user_read;
	bool is_on; /* not perf_counters__disable() */
	struct counter_reads reads;
	struct counter_source other; /* its `has` is not used */
	size_t other_first; /* the event of `other` that has dummies, for the times of all */
};

/* Maps the pages of all CPU counters that are in no group. Returns 0 or -ENOMEM. */
int perf_counters_user__map(struct perf_counters *c);
void perf_counters_user__unmap(struct perf_counters *c, size_t event);
/*
 * Reads a cell on its CPU, in user space if possible. Returns 0; -EAGAIN: it has no page, use
 * read(2).
 */
int perf_counters_user__read(struct perf_counters *c, size_t event, size_t cell);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Splits the events into several runs, so that no run multiplexes. */
#ifndef BPFPERF_PLAN_REGROUP_H
#define BPFPERF_PLAN_REGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/plan.h"

/* In no run: it cannot be counted on this machine. */
#define REGROUP_NEVER 0xff
/*
 * Up to so many units the number of runs is the least there is; beyond, first fit, largest first.
 */
#define REGROUP_EXACT_MAX 15

struct regroup {
	size_t run_cnt;
	uint8_t run
		/* by event: 0 … run_cnt - 1, or REGROUP_NEVER; the watchdog's is 0 */
		[PLAN_EVENTS_MAX];
	bool split
		/* by group: it does not fit as a whole, its events are on their own */
		[PLAN_EVENTS_MAX];
	bool exact; /* run_cnt is the least possible */
};

/*
 * `plan` is opened. Groups stay whole where they can ever run as a whole; software events are in
 * the first run (or in that of their group). What else is on the PMU, the watchdog and limits, is
 * the machine's.
 */
void regroup__find(struct regroup *re, const struct plan *plan);

#endif

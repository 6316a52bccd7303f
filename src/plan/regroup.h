/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Splits the events into several runs, so that no run multiplexes. */
#ifndef BPFPERF_PLAN_REGROUP_H
#define BPFPERF_PLAN_REGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/plan.h"

/* Not in any run: it cannot be counted on this machine. */
#define REGROUP_NEVER 0xff
/* Up to this number of units the number of runs is minimal; beyond it: first fit, largest first. */
#define REGROUP_EXACT_MAX 15

struct regroup {
	size_t run_cnt;
	uint8_t run
		/* by event: 0 … run_cnt - 1, or REGROUP_NEVER; the watchdog's is 0 */
		[PLAN_EVENTS_MAX];
	bool split
		/* by group: it does not fit as a whole, so its events are scheduled singly */
		[PLAN_EVENTS_MAX];
	bool exact; /* run_cnt is the least possible */
};

/*
 * `plan` is opened. Groups stay whole if they fit on the PMU as a whole; software events are in the
 * first run (or in that of their group). The watchdog and other limits come from the machine.
 */
void regroup__find(struct regroup *re, const struct plan *plan);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* One scheduling of all events on a CPU, and the turns between two. */
#ifndef BPFPERF_PLAN_SCHEDULE_H
#define BPFPERF_PLAN_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"

enum group_state {
	GROUP_OFF, /* not tried: its task does not run, or nothing of it opened */
	GROUP_ON,
	GROUP_FAILED, /* no counters for all of it beside those before it */
	GROUP_BEHIND, /* not tried: a hardware group before it in its list failed */
	GROUP_ERROR, /* pinned and failed: out until somebody enables it again */
};

struct schedule {
	const struct plan *plan;
	/* The index into plan->flexible[ctx] that is at the head of each flexible list. */
	size_t head[PLAN_CTX_CNT];
	bool sibling_idle; /* the core's other thread has ceased to count what the machine says */
	bool error[PLAN_EVENTS_MAX]; /* pinned groups in the error state */
	/* The state after schedule__run(). */
	uint8_t state[PLAN_EVENTS_MAX]; /* enum group_state, by group */
	int8_t counter[PLAN_EVENTS_MAX]; /* by event; -1: on none */
	bool rotate[PLAN_CTX_CNT]; /* a flexible group of that context did not get on */
	/* Why a group failed, by group: the event without a counter, -1: it did not fail. */
	int16_t stuck[PLAN_EVENTS_MAX];
};

void schedule__init(struct schedule *sched, const struct plan *plan);
/*
 * Places all that can be, from an empty PMU, in the kernel's order: pinned of the CPU, pinned of
 * the task, flexible of the CPU, flexible of the task; the last two by their lists as they are
 * turned. In each list, behind the first hardware group that fails no other is tried (5.6+: pinned
 * ones as well); groups of software events always get on. task_runs: the task is on the CPU.
 */
void schedule__run(struct schedule *sched, bool task_runs);
/*
 * Rotates as the timer does: in each context that asked for it the first flexible group goes to the
 * list's end (the article has the last one go to its front; over a full turn that is the same).
 */
void schedule__rotate(struct schedule *sched);

/*
 * Could `cnt` events of the plan (indexes) be on the PMU at once, nothing else there but the
 * watchdog if `with_watchdog`, each on a counter that really counts it? Limits of the HT erratum
 * hold.
 */
bool schedule__fits(const struct plan *plan, const uint8_t *events, size_t cnt, bool with_watchdog);

#endif

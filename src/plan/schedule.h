/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* One scheduling of all events on a CPU, and the rotation between two. */
#ifndef BPFPERF_PLAN_SCHEDULE_H
#define BPFPERF_PLAN_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"

enum group_state {
	GROUP_OFF, /* not tried: its task does not run, or none of its events was opened */
	GROUP_ON,
	GROUP_FAILED, /* no counters for all of it next to the groups before it */
	GROUP_BEHIND, /* not tried: a hardware group before it in its list failed */
	GROUP_ERROR, /* pinned and failed: off until it is enabled again */
};

struct schedule {
	const struct plan *plan;
	/* The index into plan->flexible[ctx] that is at the head of each flexible list. */
	size_t head[PLAN_CTX_CNT];
	bool sibling_idle; /* the core's other thread has ceased to count what the machine says */
	bool error[PLAN_EVENTS_MAX]; /* pinned groups in the error state */
	size_t enabled_cnt; /* groups from this one on are not enabled yet */
	/*
	 * By event: the counter it was on last, -1: on none yet (kernel: hw_perf_event.idx).
	 * Neither a failure nor a deletion changes it.
	 */
	int8_t last[PLAN_EVENTS_MAX];
	/* By event: its register among those that serve alike, as uncore_rules.take() has it. */
	uint8_t likes[PLAN_EVENTS_MAX];
	/* The state after schedule__run(). */
	uint8_t state[PLAN_EVENTS_MAX]; /* enum group_state, by group */
	int8_t counter[PLAN_EVENTS_MAX]; /* by event; -1: on none */
	bool rotate[PLAN_CTX_CNT]; /* a flexible group of that context did not get on */
	/* By group: the event without a counter, -1: it did not fail. */
	int16_t stuck[PLAN_EVENTS_MAX];
};

/* All groups are enabled. */
void schedule__init(struct schedule *sched, const struct plan *plan);
/*
 * Places as many groups as possible, in the kernel's order: pinned of the CPU, pinned of the task,
 * flexible of the CPU, flexible of the task; the last two in the rotated order of their lists. In
 * each list no group is tried after the first hardware group that fails (5.6+: also among pinned
 * ones); groups of software events always succeed. Whenever a group is added, all events stay on
 * the counters they had last if these suit all; else all are placed anew (assign__keep(),
 * assign__place()). task_runs: the task is on the CPU. keep_cpu: the CPU's flexible groups are
 * neither taken off nor tried again.
 */
void schedule__run(struct schedule *sched, bool task_runs, bool keep_cpu);
/*
 * Rotates like the timer, and runs: in each context with `rotate` set, the first flexible group
 * moves to the list's end (the article moves the last one to the front, which is equivalent over a
 * full turn). Before 4.17 both lists rotate if one has to.
 */
void schedule__rotate(struct schedule *sched, bool task_runs);
/*
 * The task comes onto the CPU or leaves it: its groups are placed, or taken off. The CPU's flexible
 * groups are taken off for a task with pinned groups; before 4.11 for any.
 */
void schedule__switch(struct schedule *sched, bool task_runs);
/* The least that the future depends on is equal: orders of lists, last counters, errors. */
bool schedule__equals(const struct schedule *a, const struct schedule *b);

/*
 * True if `cnt` events of the plan (indexes) can be on the PMU at once, with no others but the
 * watchdog if `with_watchdog`, each on a counter that really counts it, within the limits of the HT
 * erratum.
 */
bool schedule__fits(const struct plan *plan, const uint8_t *events, size_t cnt, bool with_watchdog);

#endif

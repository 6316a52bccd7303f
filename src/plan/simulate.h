/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A run: when the task is on the CPU, when the timer comes, and what each event gets of it. */
#ifndef BPFPERF_PLAN_SIMULATE_H
#define BPFPERF_PLAN_SIMULATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/plan.h"
#include "plan/schedule.h"

/* Intervals that are kept for the picture. */
#define SIM_STEPS_MAX 24
/* Events named as being in another's way. */
#define SIM_HOLDERS_MAX 8

struct sim_run {
	uint64_t run_ns; /* how long; 0: until each order of the lists has had its turn */
	double busy; /* share of the run the task is on the CPU, 0–1; 0: a moment at each end */
	/*
	 * From then on the core's other thread counts nothing any more; 0: as the machine says all
	 * the time. This thread is not told: it shows at its next scheduling.
	 */
	uint64_t sibling_idle_ns;
	uint64_t burst_ns; /* mean time on the CPU between two sleeps, where busy < 1; 0: 1 ms */
};

enum sim_state {
	SIM_COUNTED, /* whenever it could */
	SIM_TURNS, /* a part of the time */
	SIM_NOT_COUNTED, /* never; perf: <not counted> with 0.00% */
	SIM_PINNED_ERROR, /* pinned, and no room; perf: <not counted> */
	/* a member was refused, so perf does not read it: <not counted>, no percentage */
	SIM_GROUP_BROKEN,
	SIM_NOT_SUPPORTED, /* refused; perf: <not supported> */
};

struct sim_event {
	enum sim_state state;
	uint64_t enabled_ns, running_ns;
	uint64_t zero_ns; /* of running: on a counter that cannot count it, so that it read 0 */
	uint64_t counters_used; /* every counter it was on */
};

/* How a group fared. */
struct sim_group {
	uint64_t failed_ns; /* tried, and no room */
	uint64_t behind_ns; /* not tried: a group before it in its list had found no room */
	/*
	 * The first failure: the event without a counter, and the events on counters it could use.
	 */
	int stuck; /* -1: it never failed */
	uint8_t holders[SIM_HOLDERS_MAX];
	size_t holder_cnt; /* may be more than fit into holders */
	int blocker; /* the group it first stood behind; -1: none */
};

/* The state from start_ns until the next step. */
struct sim_step {
	uint64_t start_ns, len_ns;
	bool task_runs;
	int8_t counter[PLAN_EVENTS_MAX]; /* by event, -1: none */
	uint8_t state[PLAN_EVENTS_MAX]; /* enum group_state, by group */
};

struct sim {
	struct sim_event events[PLAN_EVENTS_MAX];
	struct sim_group groups[PLAN_EVENTS_MAX];
	struct sim_step steps[SIM_STEPS_MAX]; /* the first ones */
	size_t step_cnt;
	uint64_t rotation_cnt;
	uint64_t run_ns; /* how long it was */
	bool slept_through; /* timers came only while the task slept */
};

/*
 * The kernel's rules: all is scheduled when the task comes onto the CPU and when the timer has
 * turned a list; the timer starts when a flexible group does not get on, and stops when it finds no
 * group to turn, as when the task sleeps. Times asleep and awake vary by half around their mean, by
 * a fixed seed, so that the same run is had each time. Runs of over 200,000 steps are cut short.
 */
void sim__run(struct sim *sim, const struct plan *plan, const struct sim_run *run);

/* running of enabled, in percent; 100 where it was never enabled but is in software. */
double sim_event__percent(const struct sim_event *ev);

#endif

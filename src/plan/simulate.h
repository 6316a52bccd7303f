/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Simulates a run: the times of the task on the CPU and of the timer, and the running time of each
 * event.
 */
#ifndef BPFPERF_PLAN_SIMULATE_H
#define BPFPERF_PLAN_SIMULATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/plan.h"
#include "plan/quirks.h"
#include "plan/schedule.h"

/* Number of steps kept for the picture. */
#define SIM_STEPS_MAX 24
/* Maximum number of events named as the cause of another's failure. */
#define SIM_HOLDERS_MAX 8

struct sim_run {
	uint64_t run_ns; /* how long; 0: until each order of the lists has had its turn */
	double busy; /* share of the run the task is on the CPU, 0–1; 0: a moment at each end */
	/*
	 * From this time on the core's other thread counts no events; 0: as given in the machine
	 * all the time. This thread is not notified: the change takes effect at its next
	 * scheduling.
	 */
	uint64_t sibling_idle_ns;
	uint64_t burst_ns; /* mean time on the CPU between two sleeps, where busy < 1; 0: 1 ms */
	/*
	 * Share of the time that the other thread counts none of what the machine says, 0–1: it
	 * changes between both every 100 ms, on average.
	 */
	double sibling_quiet;
};

enum sim_state {
	SIM_COUNTED, /* whenever it was enabled */
	SIM_TURNS, /* a part of the time */
	SIM_NOT_COUNTED, /* never; perf: <not counted> with 0.00% */
	SIM_PINNED_ERROR, /* pinned, and no room; perf: <not counted> */
	/* a member was refused, so perf does not read it: <not counted>, no percentage */
	SIM_GROUP_BROKEN,
	SIM_NOT_SUPPORTED, /* refused; perf: <not supported> */
	SIM_DISABLED, /* opened disabled, or its leader, and never enabled; perf: <not counted> */
};

struct sim_event {
	enum sim_state state;
	uint64_t enabled_ns, running_ns;
	/* part of running: on a counter that cannot count it, so that it read 0 */
	uint64_t zero_ns;
	uint64_t counters_used; /* every counter it was on */
};

/* Results of a group. */
struct sim_group {
	uint64_t failed_ns; /* tried without success */
	uint64_t behind_ns; /* not tried: a group before it in its list had failed */
	/*
	 * The first failure: the event without a counter, and the events on counters it could use.
	 */
	int stuck; /* -1: it never failed */
	uint8_t holders[SIM_HOLDERS_MAX];
	size_t holder_cnt; /* may be larger than the size of holders */
	int blocker; /* the first group that blocked it; -1: none */
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
	uint64_t settled_ns; /* from then on all groups had counters; 0: from the start, or never */
	struct quirks_seen seen;
};

/*
 * The kernel's rules: all groups are scheduled when the task comes onto the CPU and when the timer
 * has rotated a list; the timer starts when a flexible group is left without counters, and stops
 * when there is no group to rotate, as when the task sleeps. Times asleep and awake vary by half
 * around their mean, with a fixed seed, so the result is reproducible. Runs of over 200,000 steps
 * are cut short. A run without a length and without sleep lasts until orders and counters
 * repeat: its percentages are those of one such period, which is all that counts in the long run.
 * Events of a task are enabled together, as exec does, those of a CPU one after the other.
 */
void sim__run(struct sim *sim, const struct plan *plan, const struct sim_run *run);

/* False for states where perf prints no percentage. */
bool sim_state__has_percent(enum sim_state state);
/* running / enabled, in percent; 100 for software events that were never enabled. */
double sim_event__percent(const struct sim_event *ev);

#endif

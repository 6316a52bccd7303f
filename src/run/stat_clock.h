/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The times of bpfperf stat, which need no counters: elapsed time, and processor time of the
 * targets.
 */
#ifndef BPFPERF_RUN_STAT_CLOCK_H
#define BPFPERF_RUN_STAT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "stat/table.h"
#include "stat/used_times.h"

struct stat_counting;
struct stat_run_config;
struct workload;

/* Zeroed, except for the workload. */
struct stat_clock {
	const struct workload *workload;
	bool of_cmd;
	bool has_begun; /* counting has begun: the -D delay is over */
	struct used_times used; /* processor time, if it is among the events */
	struct stat_times start; /* all times at the begin of counting */
};

/* Checks that the times among the events can be determined. 0, or -EINVAL, logged. */
int stat_clock__check(const struct stat_run_config *cfg, int cgroup_fd);
/*
 * Finds the tasks, CPUs or cgroup to sum up, once the threads of this run are known. 0 or -ENOMEM.
 */
int stat_clock__find(struct stat_clock *c, const struct stat_counting *sc);
/* Counting begins: all times are set to 0. */
void stat_clock__begin(struct stat_clock *c);
/* Reads processor times once more: a task that exits next keeps its current time. */
void stat_clock__read(struct stat_clock *c);
/* Returns the times since the beginning; zeros before it. */
struct stat_times stat_clock__at(struct stat_clock *c, uint64_t now_ns);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The events that bpfperf stat counts, the tasks or CPUs they are counted on, and their counters.
 */
#ifndef BPFPERF_RUN_STAT_COUNTING_H
#define BPFPERF_RUN_STAT_COUNTING_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "perf/tp_keepalive.h"
#include "target/threads.h"

struct event;
struct perf_counters;
struct stat_run_config;

/* Begins zeroed. */
struct stat_counting {
	const struct stat_run_config *cfg;
	const struct event **events; /* those with counters of the kernel */
	size_t event_cnt;
	struct threads threads; /* of the current run */
	struct perf_counters *counters; /* of the current run; NULL: not open */
	int cgroup_fd; /* 0: none */
	size_t *fit_run, fit_cnt; /* --fit: the run that each event is counted in; how many runs */
	bool *skip; /* by event: is not in the current run */
	struct tp_keepalive keepalive; /* between several runs */
	bool is_kept_alive; /* there is a keepalive for each tracepoint */
};

/* Before the first run: picks the events, opens the cgroup. 0, or -errno (logged). */
int stat_counting__prepare(struct stat_counting *sc, const struct stat_run_config *cfg);
/* With --fit, spreads the events over fit_cnt runs. 0, or -errno (logged). */
int stat_counting__fit(struct stat_counting *sc);
/* Between runs tracepoints stay attached, so that a run need not wait for their detachment. */
void stat_counting__keep_alive(struct stat_counting *sc);
/*
 * Opens the counters of run `fit`. cmd_pid: CMD, which waits. 0, or -errno (logged), also where the
 * user has no permission; -ESRCH without a message where is_later and all targets have exited.
 */
int stat_counting__open(struct stat_counting *sc, size_t fit, pid_t cmd_pid, bool is_later);
/* Closes the counters of a run. */
void stat_counting__close(struct stat_counting *sc);
void stat_counting__free(struct stat_counting *sc);

#endif

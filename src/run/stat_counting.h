/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The events that bpfperf stat counts, their tasks or CPUs, and their counters. */
#ifndef BPFPERF_RUN_STAT_COUNTING_H
#define BPFPERF_RUN_STAT_COUNTING_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "perf/cpu_watch.h"
#include "perf/tp_keepalive.h"
#include "run/stat_probes.h"
#include "target/threads.h"

struct event;
struct perf_counters;
struct stat_run_config;

/* Zeroed at first. */
struct stat_counting {
	const struct stat_run_config *cfg;
	const struct event **events; /* events counted by the kernel */
	size_t event_cnt;
	struct threads threads; /* threads of the current run */
	struct perf_counters *counters; /* counters of the current run; NULL: not open */
	struct cpu_watch watch; /* of the CPUs that are counted as a whole */
	int cgroup_fd; /* -1: none */
	/* by event, -1: none; NULL: cgroup_fd is of all. Equal groups have one descriptor */
	int *cgroup_fds;
	size_t *fit_run, fit_cnt; /* --fit: the run of each event; number of runs */
	bool *skip; /* by event: not in the current run */
	struct tp_keepalive keepalive; /* attachments kept between runs */
	bool is_kept_alive; /* each tracepoint has a keepalive */
	struct stat_probes probes;
};

/* Called before the first run: selects the events, opens the cgroup. 0, or -errno (logged). */
int stat_counting__prepare(struct stat_counting *sc, const struct stat_run_config *cfg);
/* With --fit, spreads the events over fit_cnt runs. 0, or -errno (logged). */
int stat_counting__fit(struct stat_counting *sc);
/* Keeps tracepoints attached between runs, so that a run need not wait for their detachment. */
void stat_counting__keep_alive(struct stat_counting *sc);
/*
 * Opens the counters of run `fit`. cmd_pid: CMD, which waits. 0, or -errno (logged), also if the
 * user has no permission; -ESRCH without a message if is_later and all targets have exited.
 */
int stat_counting__open(struct stat_counting *sc, size_t fit, pid_t cmd_pid, bool is_later);
/* Switch the counters of a run on and off. 0 or -errno. */
int stat_counting__enable(struct stat_counting *sc);
int stat_counting__disable(struct stat_counting *sc);
/* Closes the counters of a run. */
void stat_counting__close(struct stat_counting *sc);
void stat_counting__free(struct stat_counting *sc);

#endif

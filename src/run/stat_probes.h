/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The probes among the events of bpfperf stat, which BPF counts in place of perf events. */
#ifndef BPFPERF_RUN_STAT_PROBES_H
#define BPFPERF_RUN_STAT_PROBES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "event/event.h"
#include "perf/perf_counters.h"

struct count_session;
struct stat_run_config;

/* Zeroed at first. */
struct stat_probes {
	bool *is_counted; /* by event: BPF counts it; owned */
	size_t *at; /* by event: its place in `list`; owned */
	struct event_list list; /* those that BPF counts; it owns no event */
	struct count_session *session; /* of the current run; NULL: none */
};

/*
 * Chooses the events that BPF counts: probes in no group, unless an option needs the events of
 * perf. 0; -EINVAL (logged): a group cannot follow children, or so many probes are left for perf
 * that a user would wait long until the kernel has released them; or -ENOMEM.
 */
int stat_probes__choose(struct stat_probes *sp, const struct event *const *events, size_t cnt,
			const struct stat_run_config *cfg);
/* Attaches for a run. cmd_pid: CMD, which waits. 0 or -errno (logged). */
int stat_probes__open(struct stat_probes *sp, const struct stat_run_config *cfg, pid_t cmd_pid);
/* Returns the source of their values, as long as the run; without such probes, of none. */
struct counter_source stat_probes__source(struct stat_probes *sp);
void stat_probes__switch(struct stat_probes *sp, bool on);
/* Detaches after a run. */
void stat_probes__close(struct stat_probes *sp);
void stat_probes__free(struct stat_probes *sp);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The runs of bpfperf stat: counters are opened, count until CMD, a signal, the duration or the
 * targets end the run, and are read and printed. `bpfperf stat` makes the config from its options.
 */
#ifndef BPFPERF_RUN_STAT_RUN_H
#define BPFPERF_RUN_STAT_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "perf/perf_counters.h"
#include "run/loop.h"
#include "run/stat_clock.h"
#include "run/stat_counting.h"
#include "run/workload.h"
#include "stat/diagnosis.h"
#include "stat/stat.h"
#include "stat/table.h"

struct cmd_user;
struct event_list;
struct metric_set;
struct recorder_control;
struct stat_printer;
struct targets;

/* Texts, events and targets outlive the runs. */
struct stat_run_config {
	const struct event_list *events;
	const char *const *cgroups; /* by event: its cgroup, or NULL; NULL: that of the targets */
	const struct targets *targets;
	const char *target_text; /* description of the targets, for the heading */
	bool of_cmd; /* CMD is counted; otherwise it only limits the duration */
	bool by_cpu; /* whole CPUs are counted, not tasks */
	bool no_inherit, no_scale, user_read, fit;
	struct metric_set *metrics; /* of -M; their events are in `events`; NULL: none */
	enum aggr_mode aggr;
	unsigned int cache_level; /* of STAT_BY_CACHE; 0: the highest */
	uint64_t run_cnt; /* at least 1 */
	bool has_table; /* the summary has the time of each run */
	bool forever; /* run again and again, and print each run */
	const char *pre, *post; /* commands of the shell around each run; NULL: none */
	struct recorder_control *control; /* commands of another program; NULL: none */
	bool is_paused; /* counting begins when the control says so */
	/* interval_ms 0: no intervals; interval_cnt 0: no limit */
	uint64_t interval_ms, interval_cnt;
	bool has_summary; /* the sums of all intervals are printed at the end */
	uint64_t delay_ms; /* time until counting begins */
	uint64_t duration_ns; /* begins after the delay; 0: no limit */
	const struct cmd_user *cmd_user; /* the user that CMD runs as; NULL: the caller */
};

/* All that the runs own. */
struct stat_run {
	const struct stat_run_config *cfg;
	int argc;
	char **argv; /* CMD; argc 0: none */
	struct stat_printer *printer;
	struct stat_counting counting;

	/* The current run: */
	struct workload workload;
	struct loop loop;
	struct stat_clock clock;
	uint64_t run_ns, interval_ns; /* begin of the run, and of the current interval */
	uint64_t interval_cnt; /* number of intervals that have ended */

	/* All runs: */
	struct stat_table table;
	struct stat_diagnosis why;
	struct stat_mean elapsed_s, user_s, system_s;
	double *runs_s; /* owned; elapsed time of each run */
	size_t runs_cnt, runs_cap;
	bool has_printed; /* with `forever`: a run has been printed */
	bool is_off; /* the control has paused the counters */
	bool is_told_to_stop; /* by the control */
	struct counter_reads reads; /* --user-read */
	int cmd_status; /* workload__exit_status() of the last run */
	bool cmd_has_exited;
	int read_err; /* error of the first counter that could not be read */
	bool is_last; /* the current run is the last one */
	bool stopped; /* stopped by a signal, or the targets have exited: no more runs */
};

/* Selects the events, and with --fit the runs they need. 0, or -errno (logged). */
int stat_run__open(struct stat_run *st, const struct stat_run_config *cfg, int argc, char **argv);
/* Performs all runs and prints them. The printer outlives st. 0, or -errno (logged). */
int stat_run__go(struct stat_run *st, struct stat_printer *printer);
/* Safe after a failed stat_run__open(), and for a zeroed struct. */
void stat_run__free(struct stat_run *st);

#endif

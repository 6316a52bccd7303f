/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What the files of bpfperf stat share: stat.c, stat_open.c, stat_run.c, stat_times.c, stat_print.c. */
#ifndef BPFPERF_CMD_STAT_CMD_H
#define BPFPERF_CMD_STAT_CMD_H

#include <stdbool.h>
#include <stdint.h>

#include "stat/table.h"
#include "stat/diagnosis.h"
#include "perf/tp_keepalive.h"
#include "perf/perf_counters.h"
#include "target/threads.h"
#include "stat/used_times.h"
#include "run/loop.h"
#include "run/workload.h"
#include "sink/out.h"
#include "stat/stat.h"
#include "util/strbuf.h"

struct stat_opts;

/* Everything a bpfperf stat owns. */
struct stat_cmd {
	const struct stat_opts *opts;
	int argc;
	char **argv; /* CMD; argc 0: none */
	struct strbuf whom;

	struct out out;
	const struct stat_format *format;
	struct stat_style style;
	struct stat_summary summary;
	unsigned long printed_cnt; /* intervals of --metric-only */

	/* One run: */
	struct workload workload;
	struct threads threads;
	const struct event **events; /* those of the kernel's counters */
	size_t event_cnt;
	struct perf_counters *counters;
	int cgroup_fd;
	uint64_t run_ns, interval_ns; /* when the run began, when the interval that goes on */
	struct loop loop;
	uint64_t interval_cnt; /* intervals that have ended */
	bool has_begun; /* -D is over */
	struct used_times used; /* processor time, where it is asked for */
	struct stat_times start_times; /* where all stood when counting began */

	/* --fit: the run each event is counted in; bool by event: not in this one. */
	size_t *fit_run, fit_cnt;
	bool *skip;
	/* --user-read: */
	struct counter_reads reads;

	/* All runs: */
	struct tp_keepalive keepalive; /* between them, where they are several */
	bool is_kept_alive; /* there is one for each tracepoint */
	struct stat_table table;
	struct stat_diagnosis why;
	struct stat_mean elapsed_s, user_s, system_s;
	int cmd_status; /* of the last run: workload__exit_status() */
	bool ended_by_itself; /* CMD has ended */
	int read_err; /* of the first counter that could not be read */
	bool stopped; /* by a signal, or for want of anybody to count: no more runs */
};

#endif

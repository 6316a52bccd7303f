/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The recorder: samples of perf events, written by the kernel into rings and by bpfperf into a
 * file that perf reads, too. `bpfperf record` runs it with a config.
 */
#ifndef BPFPERF_RUN_RECORDER_H
#define BPFPERF_RUN_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/sampling.h"
#include "run/recorder_control.h"

struct cmd_user;
struct event_list;
struct targets;

/* When a file is ended and the next one begun. */
struct recorder_switch {
	bool on; /* enabled, at least by SIGUSR2 */
	uint64_t sz, ns; /* limits of size and time; 0: no limit */
};

/* Recording lasts from one time after the start to another. */
struct recorder_range {
	uint64_t from_ms, to_ms;
};

#define RECORDER_RANGES_MAX 64

/* Texts, events and targets outlive the run. */
struct recorder_config {
	const struct event_list *events;
	struct sampling_how how;
	const struct targets *targets;
	bool of_cmd; /* CMD is recorded, from its exec on */
	bool whole_cpus; /* all tasks of some CPUs are recorded */
	bool per_thread, no_inherit;
	bool is_paused; /* recording begins when control says so */
	bool no_synthesis; /* tasks that run already are not written */
	bool timed_name; /* the file is FILE.TIME at the end, too */
	uint64_t max_files; /* files that --switch-output keeps; 0: all */
	struct recorder_control *control; /* NULL: none */
	const struct event_list *triggers; /* events at which a file is ended; NULL: none */
	uint64_t delay_ms; /* time until recording begins */
	/* ascending; delay_ms is the first from_ms then. 0 of them: no end */
	const struct recorder_range *ranges;
	size_t range_cnt;
	uint64_t duration_ns; /* begins after the delay; 0: no limit */
	const struct cmd_user *cmd_user; /* the user that CMD runs as; NULL: the caller */
	uint64_t max_sz; /* bytes of output; 0: no limit */
	uint64_t max_samples; /* samples in all files, after which the run ends; 0: no limit */
	const char *output; /* "-": stdout, a pipe */
	bool zstd;
	int zstd_level; /* 0: default */
	struct recorder_switch switch_output;
	bool snapshot; /* AUX areas are written on SIGUSR2 and at the end */
	size_t snapshot_sz; /* bytes; 0: the whole area */
	size_t ring_sz, aux_sz; /* bytes; 0: chosen by memory and the number of rings */
	bool quiet; /* no summary */
};

/*
 * Records until CMD, a signal, the duration, the size or the targets end the run, and ends the
 * file. argv: CMD, ended by NULL; argc 0: none. Blocks stop signals, and unblocks them after
 * recording. 0; -EINVAL if the command line is at fault, or another -errno (logged); 0 also if a
 * pipe's reader exits early. *status: workload__exit_status().
 */
int recorder__run(const struct recorder_config *cfg, int argc, char **argv, int *status);

#endif

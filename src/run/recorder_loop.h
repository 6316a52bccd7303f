/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The recording phase of bpfperf record: reads rings and switches files until the run ends. */
#ifndef BPFPERF_RUN_RECORDER_LOOP_H
#define BPFPERF_RUN_RECORDER_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "run/loop.h"

struct recorder_file;
struct recorder_config;
struct kernel_rings;
struct sampling_events;
struct recorder_trigger;
struct workload;

struct recorder_loop {
	const struct recorder_config *cfg;
	struct sampling_events *sampling;
	struct kernel_rings *rings;
	struct recorder_file *file;
	struct workload *workload; /* pid 0: none */
	struct recorder_trigger *trigger;
	struct loop loop;
	int usr2_fd;
	uint64_t round_ns; /* end of the last round */
	uint64_t switch_sz; /* bytes written when the current file was begun */
	size_t range; /* index of cfg->ranges, that lasts or comes next */
	bool has_begun; /* the -D delay is over, and --control has not disabled the events */
	unsigned int copy_calls; /* of sampling_events__enable_copies() */
};

/* Runs until one of the loop's conditions ends it; a CMD that has exited is reaped. 0 or -errno. */
int recorder_loop__run(struct recorder_loop *l);
/* Called after everything was disabled: writes the rest as the last round. 0 or -errno. */
int recorder_loop__finish(struct recorder_loop *l);

#endif

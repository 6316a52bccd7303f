/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What ran before a recording began, and what is told of processes while it runs: to its sink. */
#ifndef BPFPERF_RUN_SYNTHESIZE_TARGETS_H
#define BPFPERF_RUN_SYNTHESIZE_TARGETS_H

#include <stdbool.h>
#include <sys/types.h>

#include "util/u64map.h"

struct record;
struct sink;
struct targets;

struct synthesize_targets {
	bool only_targets; /* set before: other processes than those of targets, and CMD, are none of its business */
	struct u64map pids; /* of theirs, and of what they started */
};

/*
 * Names of all threads and, with_maps, what gives addresses names: mappings, kernel, BPF programs.
 * With only_targets: of the processes of targets (-p, -t), and CMD's, which waits for its exec. Nothing
 * where the sink does not want to know. 0 or the sink's error.
 */
int synthesize_targets__start(struct synthesize_targets *feed, struct sink *sink, bool with_maps,
			      const struct targets *targets, pid_t cmd_pid);
/* A record of the process rings. 0 or the sink's error. */
int synthesize_targets__task(struct synthesize_targets *feed, struct sink *sink,
			     const struct record *rec);
void synthesize_targets__free(struct synthesize_targets *feed);

#endif

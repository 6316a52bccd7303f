/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Process records for a run's sink: existing processes, synthesized from /proc, and new ones during
 * the run, both as events of its machine.
 */
#ifndef BPFPERF_RUN_SYNTHESIZE_TARGETS_H
#define BPFPERF_RUN_SYNTHESIZE_TARGETS_H

#include <stdbool.h>
#include <sys/types.h>

#include "machine/machine.h"
#include "util/u64map.h"

struct code_maps;
struct sink;
struct targets;

struct synthesize_targets {
	/* set by the caller: only processes of targets and CMD, and their children */
	bool only_targets;
	struct u64map pids; /* the pids of these processes */
	struct machine_subscriber subscriber;
	struct sink *sink;
	struct code_maps
		*code_maps; /* what the sink knows of interpreted functions; NULL: nothing */
};

/*
 * Subscribes the sink to the machine, and synthesizes the names of all threads and, with_maps,
 * what gives addresses names: mappings, kernel, BPF programs. With only_targets: of the processes
 * of targets (-p, -t), and of CMD, which waits for its exec. Nothing where the sink wants no
 * process records. 0 or the sink's error.
 */
int synthesize_targets__start(struct synthesize_targets *feed, struct machine *machine,
			      struct sink *sink, bool with_maps, const struct targets *targets,
			      pid_t cmd_pid);
void synthesize_targets__free(struct synthesize_targets *feed);

#endif

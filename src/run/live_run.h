/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A run of a live command, from activate to the last byte of output: what is the same for trace and
 * stack. The command has opened everything before; what it does in between is in its ops.
 */
#ifndef BPFPERF_RUN_LIVE_RUN_H
#define BPFPERF_RUN_LIVE_RUN_H

#include "run/losses.h"
#include "run/loop.h"
#include "run/synthesize_targets.h"
#include "run/workload.h"
#include "sink/out.h"

struct sym;
struct sink;
struct tasks;

/* What every run owns. */
struct live_run {
	struct live_source *src;
	struct workload workload;
	struct tasks *tasks;
	struct sym *sym;
	struct out out;
	struct sink *sink;
	struct losses losses;
	struct synthesize_targets feed; /* what the sink is told of processes */
	struct loop loop; /* what is special about it, set before; the rest is filled in */
};

/* All get the loop's ctx. NULL: nothing is to be done. */
struct live_run_ops {
	/* Right before activate; may set loop.view. 0 or -errno: then nothing is recorded. */
	int (*begin)(void *ctx);
	/* When it began: CLOCK_MONOTONIC, ns. */
	uint64_t (*activate)(void *ctx);
	/* When it ended. When it returns nothing is produced any more. */
	uint64_t (*deactivate)(void *ctx);
	/* After that, while signals are still held back. 0 or -errno */
	int (*stopped)(void *ctx);
	/* Tells losses__missed() what the kernel skipped; after the last record. */
	void (*missed)(void *ctx);
	/* All records were handed on; the sink ends next. err: of what was before. 0 or -errno. */
	int (*finish)(void *ctx, int err);
};

/* Once session and output are there. 0 or the first error; a pipe whose reader has seen enough is none. */
int live_run__go(struct live_run *run, const struct live_run_ops *ops);
/*
 * The rings of all CPUs, as the programs of a session need them: cfg is completed by the session's map and
 * CPUs. Processes are followed wherever they run, also where nothing is recorded (-C). 0 or -errno (said).
 */
int live_run__open_rings(struct live_run *run, struct live_config *cfg, int rings_fd, int flush_fd,
			 const struct cpus *cpus);
/* Everything the run owns; the session that cpus are of is freed before. */
void live_run__close(struct live_run *run);

#endif

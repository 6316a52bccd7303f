/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A run of trace or stack, from activate to the last byte of output. The command has opened
 * everything before; its own part of the run is in its ops.
 */
#ifndef BPFPERF_RUN_LIVE_RUN_H
#define BPFPERF_RUN_LIVE_RUN_H

#include "run/losses.h"
#include "run/loop.h"
#include "run/synthesize_targets.h"
#include "run/workload.h"
#include "sink/out.h"

struct machine;
struct sink;

/* Everything that each run owns. */
struct live_run {
	struct live_source *src;
	struct workload workload;
	struct machine *machine;
	struct out out;
	struct sink *sink;
	struct losses losses;
	struct synthesize_targets feed; /* processes that ran before, for the sink */
	/* Targets, duration, more descriptors and timers are set before; the rest is filled in. */
	struct loop loop;
	uint64_t drain_ms; /* how often the rings are read; 0: every LIVE_DRAIN_MS */
	const struct live_run_ops *ops;
	void *ctx; /* of ops */
};

/* NULL: nothing is to be done. */
struct live_run_ops {
	/* Each record of the merged stream. > 0: enough; < 0: -errno. */
	record_fn record;
	/* After each look at the rings, as record. */
	int (*tick)(void *ctx);
	/* After the sink was flushed, also in the last round, as record. */
	int (*check)(void *ctx);
	/* Right before activate; may add to the loop. 0, or -errno: then nothing is recorded. */
	int (*begin)(void *ctx);
	/* When recording began: CLOCK_MONOTONIC, ns. */
	uint64_t (*activate)(void *ctx);
	/* When recording ended. After its return no record is produced. */
	uint64_t (*deactivate)(void *ctx);
	/* After deactivate, while signals are still blocked. 0 or -errno */
	int (*stopped)(void *ctx);
	/* Calls losses__missed() for what the kernel skipped; after the last record. */
	void (*missed)(void *ctx);
	/*
	 * All records were handed on; the sink ends next. err: the run's error so far. 0 or
	 * -errno.
	 */
	int (*finish)(void *ctx, int err);
};

/*
 * Once session and output are open. 0 or the first error; a pipe's reader that has seen enough is
 * none.
 */
int live_run__go(struct live_run *run);
/*
 * Opens the rings of all CPUs: cfg is completed by the session's map and CPUs. Processes are
 * followed on all CPUs, also where nothing is recorded (-C). 0 or -errno (logged).
 */
int live_run__open_rings(struct live_run *run, struct live_config *cfg, int rings_fd, int flush_fd,
			 const struct cpus *cpus);
/* Frees everything that the run owns. The session has been freed before. */
void live_run__close(struct live_run *run);

#endif

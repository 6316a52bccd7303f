/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A run of trace or stack, from activate to the last byte of output. The command has opened
 * everything before; the parts that differ are in its ops.
 */
#ifndef BPFPERF_RUN_LIVE_RUN_H
#define BPFPERF_RUN_LIVE_RUN_H

#include "run/code_maps.h"
#include "run/hit_report.h"
#include "run/losses.h"
#include "run/loop.h"
#include "run/synthesize_targets.h"
#include "run/workload.h"
#include "sink/out.h"

struct machine;
struct sink;
struct unwinder;

/* Everything that each run owns. */
struct live_run {
	struct live_source *src;
	struct workload workload;
	struct machine *machine;
	struct unwinder *unwinder; /* not owned; NULL: none */
	struct out out;
	struct sink *sink;
	struct code_maps code_maps;
	struct losses losses;
	struct hit_report hits; /* opened by the caller */
	struct synthesize_targets feed; /* synthesizes records of existing processes for the sink */
	/*
	 * The caller sets targets, duration, further descriptors and timers; the run sets the rest.
	 */
	struct loop loop;
	/* Becomes readable if the programs' tracepoints are detached early; 0 and -1: none. */
	int helper_fd;
	bool is_detached; /* that happened: the run ends and has failed */
	uint64_t drain_ms; /* interval of draining the rings; 0: LIVE_DRAIN_MS */
	const struct live_run_ops *ops;
	void *ctx; /* context of ops */
};

/* The parts of a run that differ by command; NULL: nothing to do. */
struct live_run_ops {
	/* Receives each record of the merged stream. > 0: ends the run; < 0: -errno. */
	record_fn record;
	/* Called after each drain of the rings; returns like record. */
	int (*tick)(void *ctx);
	/* Called after the sink was flushed, also in the last round; returns like record. */
	int (*check)(void *ctx);
	/* Called right before activate; may add to the loop. 0, or -errno: nothing is recorded. */
	int (*begin)(void *ctx);
	/* Activates; returns the begin of recording: CLOCK_MONOTONIC, ns. */
	uint64_t (*activate)(void *ctx);
	/* Deactivates; returns the end of recording. After it no record is produced. */
	uint64_t (*deactivate)(void *ctx);
	/* Called after deactivate, while signals are still blocked. 0 or -errno. */
	int (*stopped)(void *ctx);
	/* Calls losses__missed() for the events that the kernel skipped; after the last record. */
	void (*missed)(void *ctx);
	/*
	 * Called when all records were passed on, before the sink ends. err: the run's error so
	 * far. 0 or -errno.
	 */
	int (*finish)(void *ctx, int err);
};

/*
 * Runs; session and output are open. 0 or the first error; a pipe's reader that exits early is no
 * error.
 */
int live_run__go(struct live_run *run);
/*
 * Opens the rings of all CPUs; cfg is completed with the session's map and CPUs. Processes are
 * followed on all CPUs, even those without recording (-C). 0 or -errno (logged).
 */
int live_run__open_rings(struct live_run *run, struct live_config *cfg, int rings_fd, int flush_fd,
			 const struct cpus *cpus);
/* Frees everything that the run owns. The session must be freed before. */
void live_run__close(struct live_run *run);

#endif

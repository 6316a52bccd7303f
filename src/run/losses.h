/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Accounts for every record: produced = delivered + lost, per CPU and cause; and reports the cost
 * of bpfperf. Shared by trace and the sampler.
 */
#ifndef BPFPERF_RUN_LOSSES_H
#define BPFPERF_RUN_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/live.h"

struct cpus;
struct event;
struct sink;

struct losses {
	const struct cpus *cpus; /* counters of the programs */
	uint64_t begin_ns; /* begin of the command: its cost is related to the time since then */
	uint64_t start_ns, end_ns; /* results of activate and deactivate */
	uint64_t shown; /* number of records passed to the sink */
	uint64_t skipped; /* records of events that were stopped (--budget) */
	uint64_t overwritten; /* set by losses__finish() for a flight recorder */
	uint64_t lost, missed; /* set by losses__finish() */
	/* Flight recorder: records that are neither delivered nor lost were overwritten. */
	bool overwrite;
	uint64_t absent; /* hits of events with programs that never ran */
	struct sink *sink; /* for losses__missed() and losses__absent() */
};

/* Shows a RECORD_LOST of a live source in place. Returns the sink's error. */
int losses__lost_record(struct sink *sink, const struct record *rec);

/*
 * Called after deactivate: drains the rest through fn, until all produced records are delivered or
 * lost; shows losses that no record announced. 0, fn's result, or the sink's error.
 */
int losses__finish(struct losses *a, struct live_source *src, struct sink *sink, record_fn fn,
		   void *ctx);

/*
 * Signature of trace_session__missed()'s callback; ctx is a struct losses after losses__finish().
 */
void losses__missed(void *ctx, const struct event *ev, uint64_t cnt);
/* Signature of trace_session__absent()'s callback, likewise; warns. */
void losses__absent(void *ctx, const struct event *ev, uint64_t hits);

/* Prints the summary on stderr; `what` is "records" or "samples". */
void losses__summary(const struct losses *a, struct live_source *src, const char *what);

#endif

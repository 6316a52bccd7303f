/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Accounts for every record: produced = delivered + lost, per CPU and cause; and the cost of
 * bpfperf. Shared by trace and the sampler.
 */
#ifndef BPFPERF_RUN_LOSSES_H
#define BPFPERF_RUN_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "source/live.h"

#include "bpf/wire.h"

struct cpus;
struct event;
struct sink;

/* The causes that are counted by CPU: of enum lost_cause, those before LOST_MISSED. */
#define LOSSES_CAUSES 5

struct losses {
	const struct cpus *cpus; /* what the programs count */
	/* Lost records that were shown in their place, by CPU and cause. */
	uint64_t placed[WIRE_MAX_CPUS][LOSSES_CAUSES];
	uint64_t begin_ns; /* when the command began: the cost is related to the time since */
	uint64_t start_ns, end_ns; /* results of activate and deactivate */
	uint64_t shown; /* records handed to the sink */
	uint64_t skipped; /* of events that were stopped (--budget) */
	uint64_t overwritten; /* filled in by losses__finish(), of a flight recorder */
	uint64_t lost, missed; /* filled in by losses__finish() */
	/* A flight recorder: records that are neither delivered nor lost were overwritten. */
	bool overwrite;
	struct sink *sink; /* for losses__missed() */
};

/* A RECORD_LOST: shows it in place, by cause. The sink's error. */
int losses__lost_record(struct losses *a, struct live_source *src, struct sink *sink,
			const struct record *rec);

/*
 * After deactivate: drains what is left through fn, until all that was
 * produced is delivered or lost; shows losses that no record announced. 0,
 * what fn returned, or the sink's error.
 */
int losses__finish(struct losses *a, struct live_source *src, struct sink *sink, record_fn fn,
		   void *ctx);

/*
 * Signature of trace_session__missed()'s callback; ctx is a struct losses after losses__finish().
 */
void losses__missed(void *ctx, const struct event *ev, uint64_t cnt);

/* The summary on stderr; `what` is "records" or "samples". */
void losses__summary(const struct losses *a, struct live_source *src, const char *what);

#endif

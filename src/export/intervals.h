/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A profile for each interval of a run: a sink that gathers samples in a sink of another format,
 * which ends with its interval. Each sample and each loss is in exactly one interval: that of its
 * time, or, if it arrives after that one was handed over, the next.
 */
#ifndef BPFPERF_EXPORT_INTERVALS_H
#define BPFPERF_EXPORT_INTERVALS_H

#include <stdint.h>

#include "sink/profile_sink.h"
#include "sink/sink.h"

struct out;

/* The facts about one interval. */
struct interval {
	uint64_t begin_real_ns, end_real_ns; /* CLOCK_REALTIME */
	uint64_t samples, lost;
	char batch[40]; /* for rows: what open() names the message; "" */
};

struct intervals_config {
	const struct sink_ops *ops; /* one of the sinks of profiles */
	uint64_t every_ns;
	uint64_t duration_ns; /* of the whole run; 0: unknown */
	const char *const *resource; /* as in struct profile_config */
	bool no_symbols;
	bool skip_empty; /* intervals without samples and losses are not handed over */
	/*
	 * Opens the output of an interval that is complete. 0, or -errno: the interval is given up,
	 * which the caller has counted.
	 */
	int (*open)(void *ctx, struct interval *iv, struct out *out);
	/*
	 * The output is closed; err: the first error of its sink or output. Returns the value that
	 * ends the run, or 0.
	 */
	int (*close)(void *ctx, const struct interval *iv, int err);
	void *ctx;
};

/* Sums over the run so far. */
struct interval_totals {
	uint64_t begin_real_ns; /* of the run: CLOCK_REALTIME */
	uint64_t intervals; /* that were handed over */
	uint64_t samples;
	uint64_t lost[LOST_CAUSE_CNT];
};

/* The sums of a sink of intervals__new(); they change with it. */
const struct interval_totals *intervals__totals(const struct sink *sink);

/*
 * Makes the sink. cfg is copied; its profile, of which meta has the beginning of the run, outlives
 * the sink, and sink->cfg.end_mono_ns is set before sink__end(). NULL and errno ENOMEM.
 */
struct sink *intervals__new(const struct intervals_config *conf, const struct sink_config *cfg);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The rates of a counter that takes turns: one for each slice of the time that it counted. They
 * bound what it may have missed while it waited (stat/metric_expr.h).
 */
#ifndef BPFPERF_STAT_RATE_SLICES_H
#define BPFPERF_STAT_RATE_SLICES_H

#include <stddef.h>
#include <stdint.h>

struct counter_count;

#define RATE_SLICES 256
/* Shortest slice at first; when all are used, two become one, and slices last twice as long. */
#define RATE_SLICE_NS 1000000ull
/* A few slices are no sample of the time that was missed. */
#define RATE_SLICES_MIN 5

/* Zeroed at first. */
struct rate_slices {
	double rates[RATE_SLICES]; /* counts per nanosecond on the counter, in order of time */
	uint64_t run_ns[RATE_SLICES]; /* length of each slice */
	size_t cnt;
	uint64_t slice_ns; /* 0: RATE_SLICE_NS */
	uint64_t value, running_ns; /* the counter at the end of the last slice */
};

/* Takes the counter as it is now; one that is below the last one has begun anew. */
void rate_slices__take(struct rate_slices *s, const struct counter_count *now);

#endif

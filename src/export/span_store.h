/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The durations of bpfperf latency for a store: the histograms of each interval, as metrics of OTLP
 * or as rows of buckets, or single durations as rows.
 */
#ifndef BPFPERF_EXPORT_SPAN_STORE_H
#define BPFPERF_EXPORT_SPAN_STORE_H

#include "export/series.h"
#include "sink/field_plan.h"

struct span_each;
struct span_result;

struct span_store {
	struct series series;
	bool each;
	uint64_t begin_ns; /* of this interval: CLOCK_REALTIME */
	uint64_t mono_to_real_ns; /* as the two clocks were at its begin (modulo 2^64) */
	struct strbuf rows; /* single durations of it, each a line without its head */
	struct field_plans plans;
	uint64_t row_cnt;
	uint64_t *lost; /* by pair: durations without a row, so far */
};

#define SPAN_STORE_INIT                                                                            \
	{                                                                                          \
		.series = SERIES_INIT                                                              \
	}

/* each: single durations, else histograms. 0, or -EINVAL, logged. */
int span_store__check(struct export_config *cfg, bool each);
/* Opens it as its first interval begins. 0, or -errno, logged. */
int span_store__open(struct span_store *s, const struct export_config *cfg, bool each);
/*
 * Appends a duration to the rows of a struct span_store: for struct latency_each. CLOCK_MONOTONIC
 * becomes CLOCK_REALTIME as the two were at the interval's begin.
 */
void span_store__put_each(void *store, const struct span_each *e);
/* Are there as many single durations as may wait? Then they are to be sent. */
bool span_store__is_full(const struct span_store *s);
/* An interval ends: sends the rows, or with `each` the single durations. Returns 0. */
int span_store__send(struct span_store *s, const struct span_result *res);
void span_store__close(struct span_store *s);

#endif

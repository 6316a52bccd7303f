/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Counters in trace records: --counters, --counters-by, --counter-interval. */
#ifndef BPFPERF_RUN_SAMPLE_COUNTERS_H
#define BPFPERF_RUN_SAMPLE_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/counter_values.h"
#include "event/event.h"
#include "source/live.h"

struct perf_counters;
struct sink;

enum counters_by { COUNTERS_BY_CPU, COUNTERS_BY_TASK };
/* The arguments of --counters-by; NULL-terminated. */
extern const char *const counters_by_names[];

struct counter_opts {
	struct event_list events; /* --counters */
	enum counters_by by; /* --counters-by */
	uint64_t interval_ms; /* 0: no rows */
};

/* Adds the events of one --counters to a struct counter_opts. 0, or -EINVAL, logged. */
int counter_opts__add(void *opts, const char *arg);

struct sample_counters {
	const struct counter_opts *opts;
	struct counter_values values;
	struct perf_counters *counters; /* owned by the session */
	struct live_source *src; /* receives the rows */
};

/* Initializes rc. 0 or -ENOMEM. */
int sample_counters__init(struct sample_counters *rc, const struct counter_opts *opts);
void sample_counters__free(struct sample_counters *rc);
/* Called right before activate: growth counts from here on. 0 or -errno (logged). */
int sample_counters__begin(struct sample_counters *rc, struct perf_counters *counters,
			   struct live_source *src);
/* Reads the counters, and puts a row for each CPU into the stream. 0 or -errno (logged). */
int sample_counters__read_rows(struct sample_counters *rc);
/* Passes on a row at its place in the stream. Returns the sink's error. */
int sample_counters__row(struct sample_counters *rc, const struct record *rec, struct sink *sink);
/*
 * Logs at the end which counts of tasks are not exact; untraced_switches: the number of times that
 * a task was seen to run without a switch to it.
 */
void sample_counters__summary(const struct sample_counters *rc, uint64_t untraced_switches);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Counters with the records of trace: --counters, --counters-by, --counter-interval. */
#ifndef BPFPERF_CMD_RECORD_COUNTERS_H
#define BPFPERF_CMD_RECORD_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/counter_values.h"
#include "event/event.h"
#include "source/live.h"

struct counters;
struct sink;

struct counter_opts {
	struct event_list events; /* --counters */
	bool by_task;
	bool by_given; /* --counters-by stands there */
	uint64_t interval_ms; /* 0: no rows */
};

/* Parsers of the options; 0, or -EINVAL after one sentence. */
int counter_opts__add(struct counter_opts *o, const char *arg);
int counter_opts__set_by(struct counter_opts *o, const char *arg);

struct record_counters {
	const struct counter_opts *opts;
	struct counter_values values;
	struct counters *counters; /* the session's */
	struct live_source *src; /* where rows go */
};

/* 0 or -ENOMEM. */
int record_counters__init(struct record_counters *rc, const struct counter_opts *opts);
void record_counters__free(struct record_counters *rc);
/* Right before activate: growth counts from here. 0 or -errno (said). */
int record_counters__begin(struct record_counters *rc, struct counters *counters,
			   struct live_source *src);
/* Reads the counters, and puts a row for each CPU into the stream. 0 or -errno (said). */
int record_counters__read_rows(struct record_counters *rc);
/* A row that has come to its place in the stream. The sink's error. */
int record_counters__row(struct record_counters *rc, const struct record *rec, struct sink *sink);
/* A process event: new threads begin with nothing. */
void record_counters__task(struct record_counters *rc, const struct record *rec);
/* At the end: says what was not counted. */
void record_counters__summary(const struct record_counters *rc);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Samples with counter values (PERF_SAMPLE_READ, the groups {a,b}:S of perf record) become one
 * sample for each event that was read, with the counter's growth as period, like in perf script and
 * report.
 */
#ifndef BPFPERF_DECODE_READ_GROUP_H
#define BPFPERF_DECODE_READ_GROUP_H

#include <stddef.h>
#include <stdint.h>

#include "util/u64map.h"

struct attrs;
struct perf_sample;

/* The last known value of a counter. */
struct read_count {
	uint64_t id, count;
	uint32_t tid; /* thread that inherited the counter; 0: it counts for all */
};

struct read_group {
	struct u64map by_counter; /* hash of id and thread → index */
	struct read_count *counts;
	size_t cnt, cap;
};

/*
 * Calls fn with s itself or, if s has counter values with ids, with a copy of s for each counter
 * that has grown: its event, id and period are the counter's. Returns the first value other than 0,
 * or -ENOMEM.
 */
int read_group__each(struct read_group *g, const struct attrs *attrs, const struct perf_sample *s,
		     int (*fn)(void *ctx, const struct perf_sample *s), void *ctx);
void read_group__free(struct read_group *g);

#endif

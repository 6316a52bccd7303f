/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Samples with counter values (PERF_SAMPLE_READ, the groups {a,b}:S of perf record) become one
 * sample for each event that was read, with the counter's growth as period, like in perf script and
 * report.
 */
#ifndef BPFPERF_DECODE_READ_GROUP_H
#define BPFPERF_DECODE_READ_GROUP_H

#include <stdbool.h>
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
	/* Members of the current sample that are left, and the next one's first word in s->read. */
	uint64_t left, at;
};

/* Begins with the counter values of a sample. False if it has none with ids. */
bool read_group__begin(struct read_group *g, const struct perf_sample *s);
/*
 * Sets *one to a copy of s for the next counter that has grown: its event, id and period are the
 * counter's. 1; 0: no further counter; or -ENOMEM.
 */
int read_group__next(struct read_group *g, const struct attrs *attrs, const struct perf_sample *s,
		     struct perf_sample *one);
void read_group__free(struct read_group *g);

#endif

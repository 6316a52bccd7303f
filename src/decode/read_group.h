/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Samples that carry counts (PERF_SAMPLE_READ, the groups {a,b}:S of perf record): of each event that was
 * read they are a sample, which stands for what its count has grown by, as perf script and report have it.
 */
#ifndef BPFPERF_DECODE_READ_GROUP_H
#define BPFPERF_DECODE_READ_GROUP_H

#include <stddef.h>
#include <stdint.h>

#include "util/u64map.h"

struct attrs;
struct perf_sample;

/* A counter as it was last. */
struct read_count {
	uint64_t id, count;
	uint32_t tid; /* of who has inherited it; 0: it counts for all */
};

struct read_group {
	struct u64map by_counter; /* id and thread, mixed → index */
	struct read_count *counts;
	size_t cnt, cap;
};

/*
 * Calls fn with s itself, or, where it carries counts with their ids, with a copy of it for each that has
 * grown: its event, id and period are the counter's. The first value that is not 0, or -ENOMEM.
 */
int read_group__each(struct read_group *g, const struct attrs *attrs, const struct perf_sample *s,
		     int (*fn)(void *ctx, const struct perf_sample *s), void *ctx);
void read_group__free(struct read_group *g);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * report -T: the counts that each thread had at its end, of PERF_RECORD_READ (record -s), as a
 * table in the form of perf report.
 */
#ifndef BPFPERF_SINK_READ_VALUES_H
#define BPFPERF_SINK_READ_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/u64map.h"

struct attrs;
struct out;
struct perf_event_header;
struct recording;

/* A zeroed one is empty. */
struct read_values {
	struct read_thread *threads; /* in the order of their first records */
	size_t thread_cnt, thread_cap;
	uint32_t *events; /* indexes of those that have counts, in that order */
	size_t event_cnt, event_cap;
	uint64_t *counts;
	size_t count_cnt, count_cap;
	/* process and thread → index of threads; 1 + that, and event → index of counts */
	struct u64map by_thread, by_count;
};

/* True if the counts of threads were recorded: some event has inherit_stat. */
bool read_values__were_recorded(const struct attrs *attrs);
/* Adds the count of a record; one of another type is passed over. 0 or -ENOMEM. */
int read_values__add(struct read_values *v, const struct recording *rec,
		     const struct perf_event_header *hdr);
/* Prints the table. 0 or -errno. */
int read_values__print(const struct read_values *v, const struct attrs *attrs, struct out *to);
void read_values__free(struct read_values *v);

#endif

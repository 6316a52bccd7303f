/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Durations over time, for a picture: how many of a row ended in each slice of time, by length, of
 * which there are eight steps for each power of two. Slices become twice as long when there are too
 * many.
 */
#ifndef BPFPERF_SPAN_HEAT_H
#define BPFPERF_SPAN_HEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPAN_HEAT_STEPS 8

struct span_heat_cell {
	uint64_t row; /* struct span_row.id */
	uint32_t slice;
	uint32_t step; /* struct span_bucket.bucket / SPAN_HEAT_STEPS */
	uint64_t cnt;
};

struct span_heat {
	struct span_heat_cell *at; /* sorted by slice, row and step, once finished */
	size_t cnt, cap;
	size_t join_at; /* so many cells are joined */
	uint64_t begin_ns; /* CLOCK_REALTIME, of slice 0 */
	bool is_relative; /* that is no time of day: of a recording */
	uint64_t slice_ns;
	uint32_t slice_cnt;
};

/* The slices are of at least slice_ns. */
void span_heat__init(struct span_heat *h, uint64_t begin_ns, uint64_t slice_ns);
void span_heat__free(struct span_heat *h);
/* Adds cnt durations that have ended by time_ns (CLOCK_REALTIME). 0 or -ENOMEM. */
int span_heat__add(struct span_heat *h, uint64_t time_ns, uint64_t row, uint32_t bucket,
		   uint64_t cnt);
void span_heat__finish(struct span_heat *h);

#endif

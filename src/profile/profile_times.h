/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * When the samples of each stack were taken: their number and weight by slice of time. All slices
 * have one length, a power of two nanoseconds, which doubles when there are too many: memory is
 * bounded, however long the recording.
 */
#ifndef BPFPERF_PROFILE_PROFILE_TIMES_H
#define BPFPERF_PROFILE_PROFILE_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/u64map.h"

/* Maximum number of slices from the first to the last, and of values. */
#define PROFILE_TIMES_SLICES 1024
#define PROFILE_TIMES_VALUES (1u << 18)

struct profile_time {
	uint32_t stack; /* index into profile.stacks */
	uint64_t slice; /* CLOCK_MONOTONIC >> shift */
	uint64_t samples, weight;
};

/* A zeroed struct is empty. */
struct profile_times {
	bool wanted; /* else nothing is kept */
	bool incomplete; /* some samples had no time */
	uint8_t shift; /* log2 of a slice's nanoseconds */
	uint64_t first, last; /* slices; valid if there are values */
	struct profile_time *values;
	size_t cnt, cap;
	bool has_loose; /* some values are not in by_slice: a stack may have several of one slice */
	struct u64map by_slice; /* stack << 32 | low half of the slice → index of its value */
};

/*
 * Adds a sample of a stack from begin_ns to end_ns (equal for a sample on the CPU). It counts where
 * it ends; its weight is spread over its time. 0 or -ENOMEM.
 */
int profile_times__add(struct profile_times *t, uint32_t stack, uint64_t begin_ns, uint64_t end_ns,
		       uint64_t weight);
/* Adds a value of a file with slices of its own length. 0 or -ENOMEM. */
int profile_times__put(struct profile_times *t, uint8_t shift, const struct profile_time *value);
void profile_times__free(struct profile_times *t);

#endif

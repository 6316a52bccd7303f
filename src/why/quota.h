/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * CPU limits of control groups, on a path. A group that had its quota before the end of a period
 * waits for the next one: time that other tasks took from it before, in the same period, it would
 * have waited, too, had it had the CPU at once.
 */
#ifndef BPFPERF_WHY_QUOTA_H
#define BPFPERF_WHY_QUOTA_H

#include "why/path.h"

/* The throttled time that a path, which goes back in time, came to last. */
struct why_quota {
	uint64_t end_ns; /* 0: none */
	uint32_t thread;
	size_t cause; /* an index of the user's */
};

/*
 * Looks at the step of a path off the CPU, and its cause's index. Returns the part of the step, in
 * ns, that the limit would have taken in its place; q->cause is that of the limit then.
 */
uint64_t why_quota__covered_ns(struct why_quota *q, const struct why_step *step, size_t cause);

#endif

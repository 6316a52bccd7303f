/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The third word of an entry of a branch stack: the bits of struct perf_branch_entry. */
#ifndef BPFPERF_DATA_BRANCH_FLAGS_H
#define BPFPERF_DATA_BRANCH_FLAGS_H

#include <stdint.h>

#define BRANCH_MISSED 1ull
#define BRANCH_PREDICTED 2ull
#define BRANCH_IN_TX 4ull
#define BRANCH_ABORT 8ull

/* Cycles since the branch before it. */
static inline unsigned int branch_flags__cycles(uint64_t flags)
{
	return flags >> 4 & 0xffff;
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Priority inversions: a thread waits for a lock, the thread that holds the lock has a worse
 * priority and is ready to run, and a third one has the CPU.
 */
#ifndef BPFPERF_WHY_INVERSION_H
#define BPFPERF_WHY_INVERSION_H

#include "why/index.h"

struct why_inversion {
	uint64_t ns; /* in all; 0: there is none */
	uint32_t wait; /* the longest: absence of the thread that waited … */
	uint32_t held; /* … and that of the holder meanwhile; its `instead` had the CPU */
};

void why_inversion__find(struct why_inversion *inv, const struct why_index *ix);

#endif

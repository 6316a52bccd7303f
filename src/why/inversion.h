/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Priority inversions: a thread waits for a lock, the thread that holds the lock has a worse
 * priority and is ready to run, and a third one has the CPU.
 */
#ifndef BPFPERF_WHY_INVERSION_H
#define BPFPERF_WHY_INVERSION_H

#include "why/absence.h"

struct why_timeline;

struct why_inversion {
	uint64_t ns; /* in all; 0: there is none */
	uint64_t longest_ns; /* of one absence */
	struct why_absence wait; /* the longest: the thread that waited … */
	struct why_absence held; /* … and the holder meanwhile; its `instead` had the CPU */
};

/* Adds the inversion that an absence shows, which is not yet one of the timeline. */
void why_inversion__look_at(struct why_inversion *inv, const struct why_timeline *tl,
			    const struct why_absence *wait);

#endif

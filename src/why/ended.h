/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The largest wait of other threads that threads of one name ended: the critical path stays in a
 * thread that never waits, and has not seen the threads that it kept waiting.
 */
#ifndef BPFPERF_WHY_ENDED_H
#define BPFPERF_WHY_ENDED_H

#include "why/causes.h"

struct why_ended {
	struct why_cause wait; /* the wait, of all threads of one name; ns is 0: there is none */
	const char *waker; /* name of the threads that ended it */
};

/*
 * Sums up the waits, but those for the end of threads and processes, that threads named waker
 * ended, and finds the largest. 0 or -ENOMEM.
 */
int why_ended__find(struct why_ended *e, struct why_timeline *tl, const char *waker);

#endif

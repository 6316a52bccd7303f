/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A thread that does one job after another, so that its id stays the same. It blocks all signals.
 */
#ifndef BPFPERF_UTIL_WORKER_H
#define BPFPERF_UTIL_WORKER_H

struct worker;

/* Starts the thread. NULL and errno. */
struct worker *worker__new(void);
/* Ends the thread after its job; NULL is accepted. */
void worker__free(struct worker *w);
/* Gives it a job; the previous one must be complete. */
void worker__run(struct worker *w, void (*job)(void *arg), void *arg);
/* Waits until it has no job. */
void worker__wait(struct worker *w);

#endif

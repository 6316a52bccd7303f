/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A thread that does one job after another: its id stays the same. It takes no signals. */
#ifndef BPFPERF_UTIL_WORKER_H
#define BPFPERF_UTIL_WORKER_H

struct worker;

/* Starts the thread. NULL and errno. */
struct worker *worker__new(void);
/* Ends it behind its job; NULL is fine. */
void worker__free(struct worker *w);
/* Gives it a job; the one before is done. */
void worker__run(struct worker *w, void (*job)(void *arg), void *arg);
/* Until it has none. */
void worker__wait(struct worker *w);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The signals that ask for an end: SIGINT, SIGTERM, and SIGHUP of a terminal that is gone, but for who was
 * started to survive that (nohup): Linux queues a signal that is blocked also where it is ignored.
 */
#ifndef BPFPERF_UTIL_STOP_SIGNALS_H
#define BPFPERF_UTIL_STOP_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* *set is these, and no others. */
void stop_signals__fill(sigset_t *set);
/* Has one of them come: it waits, being blocked, or it was caught? */
bool stop_signals__pending(void);
/*
 * For who waits for something else while they are blocked: takes the first that has come, and from then on the
 * next ends bpfperf at once. 0: none has come. Where it is over, put_back() has it wait for whom it was meant,
 * and blocks them as they were, which is in *before.
 */
int stop_signals__take(sigset_t *before);
void stop_signals__put_back(int sig, const sigset_t *before);

/*
 * For who does not wait for them: from here on one of them is caught (a call that waits returns
 * EINTR), and the next ends bpfperf at once.
 */
void stop_signals__catch(void);
/* So many are caught before the next ends bpfperf. Any thread may say so at any time; without stop_signals__catch(), nothing. */
void stop_signals__catch_up_to(int cnt);
/* How many were caught, and which came first. first may be NULL. */
int stop_signals__caught(int *first);

#endif

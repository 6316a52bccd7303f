/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The signals that ask for an end: SIGINT, SIGTERM, and SIGHUP of a terminal that is gone. A
 * process that was started to survive SIGHUP (nohup) does not take SIGHUP: Linux queues a blocked
 * signal even where the signal is ignored.
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
 * For a caller that waits for something else while the signals are blocked: takes the first pending
 * one and unblocks them, so that the next one ends bpfperf at once. Returns 0 where none is
 * pending. put_back() makes the taken signal pending again for the reader it was meant for, and
 * restores the mask that *before holds.
 */
int stop_signals__take(sigset_t *before);
void stop_signals__put_back(int sig, const sigset_t *before);

/*
 * For a caller that does not wait for the signals: from here on one of them is caught (a call that
 * waits returns EINTR), and the next ends bpfperf at once.
 */
void stop_signals__catch(void);
/*
 * Sets how many signals are caught before the next one ends bpfperf. Any thread may call it at any
 * time; it has no effect without stop_signals__catch().
 */
void stop_signals__catch_up_to(int cnt);
/* Returns how many signals were caught; *first is the first of them. first may be NULL. */
int stop_signals__caught(int *first);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The signals that ask for an end: SIGINT, SIGTERM, and SIGHUP from a terminal that was closed. A
 * process that was started to survive SIGHUP (nohup) does not handle SIGHUP: Linux queues a blocked
 * signal even if it is ignored. Signals are blocked and unblocked only here.
 */
#ifndef BPFPERF_UTIL_STOP_SIGNALS_H
#define BPFPERF_UTIL_STOP_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Sets *set to exactly the stop signals. */
void stop_signals__fill(sigset_t *set);
/*
 * Blocks the stop signals, which wait for the loop (run/loop.h). Call it before any long operation.
 */
void stop_signals__block(void);
/* Drops pending stop signals that have already had their effect. */
void stop_signals__drop_pending(void);
/*
 * Lets a stop signal end bpfperf at once from here on, during the final output. Drops pending ones.
 */
void stop_signals__unblock(void);
/* Makes SIGUSR2 a request for a dump instead of ending bpfperf: it is blocked for a signalfd. */
void stop_signals__block_usr2(void);
/*
 * Opens a non-blocking signalfd for SIGUSR2, which must be blocked. The caller closes it. -1 and
 * errno.
 */
int stop_signals__open_usr2(void);
/*
 * Reads the descriptor of stop_signals__open_usr2(): true if SIGUSR2 arrived since the last call.
 */
bool stop_signals__took_usr2(int fd);

/* True if a stop signal has arrived: it is blocked and pending, or was caught. */
bool stop_signals__pending(void);
/*
 * For a caller that waits for other input while the signals are blocked: takes the first pending
 * one and unblocks them, so that the next one ends bpfperf at once. Returns 0 if none is pending.
 * put_back() makes the signal pending again for its original reader, and restores the mask in
 * *before.
 */
int stop_signals__take(sigset_t *before);
void stop_signals__put_back(int sig, const sigset_t *before);

/*
 * For a caller that does not wait for the signals: from here on the first one is caught (a blocking
 * call returns EINTR), and the next one ends bpfperf at once.
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

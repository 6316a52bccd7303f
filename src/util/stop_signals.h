/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The signals that ask for an end: SIGINT, SIGTERM, and SIGHUP of a terminal that is gone. A
 * process that was started to survive SIGHUP (nohup) does not take SIGHUP: Linux queues a blocked
 * signal even where the signal is ignored. Signals are blocked and unblocked here alone.
 */
#ifndef BPFPERF_UTIL_STOP_SIGNALS_H
#define BPFPERF_UTIL_STOP_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* *set becomes the stop signals, and no others. */
void stop_signals__fill(sigset_t *set);
/*
 * From here on stop signals wait for the loop (run/loop.h). Called before anything that takes long.
 */
void stop_signals__block(void);
/* Drops the stop signals that are pending: they have had their effect. */
void stop_signals__drop_pending(void);
/*
 * From here on a stop signal ends bpfperf at once, for the time of the last output. Drops pending
 * ones.
 */
void stop_signals__unblock(void);
/*
 * SIGUSR2 is from here on a reason to dump, and no longer the end of bpfperf: it waits for a
 * signalfd.
 */
void stop_signals__block_usr2(void);
/* A signalfd of SIGUSR2, blocked before; does not wait. The caller closes it. -1 and errno. */
int stop_signals__open_usr2(void);
/* Reads stop_signals__open_usr2()'s descriptor: was there a SIGUSR2 since the last time? */
bool stop_signals__took_usr2(int fd);

/* Has a stop signal come: is one pending, being blocked, or was one caught? */
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

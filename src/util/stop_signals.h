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
/* Has one of them come, and waits, being blocked? */
bool stop_signals__pending(void);

#endif

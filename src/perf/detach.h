/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_PERF_DETACH_H
#define BPFPERF_PERF_DETACH_H

#include <stddef.h>

/*
 * Closes perf events of tracepoints without delaying the user: the last close of each costs the
 * kernel an RCU grace period, so a child process that prints nothing holds them meanwhile, and
 * takes the lock of event/detach_lock.h for each. fds below 0 are skipped. The caller's fds are
 * always closed; if no child can be created, the caller waits.
 */
void detach__fds(const int *fds, size_t cnt);
/* Closes the fds in the calling process, which waits for each. */
void detach__in_turn(const int *fds, size_t cnt);

#endif

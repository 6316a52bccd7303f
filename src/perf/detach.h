/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_PERF_DETACH_H
#define BPFPERF_PERF_DETACH_H

#include <stddef.h>

/*
 * Closes perf events of tracepoints off the user's clock: the last close of each costs the
 * kernel an RCU grace period, so a silent child of its own holds them meanwhile and passes
 * through event/detach_lock.h before each. fds below 0 are none. They are closed here in any case;
 * without a child (no more processes allowed) that takes its time.
 */
void detach__fds(const int *fds, size_t cnt);
/* Closes them in the calling process, which waits for each. */
void detach__in_turn(const int *fds, size_t cnt);

#endif

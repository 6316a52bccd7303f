/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Detaching classic tracepoints (session/detach_helper.h) keeps a lock of the kernel
 * (event_mutex) for an RCU grace period each, minutes in all; reading a format
 * file and attaching need that lock too. So that a bpfperf that starts need
 * not queue behind an earlier one's hundreds of detachments, they share a
 * flock on the tracefs directory: a starting process holds it, a detaching one passes
 * through it before each single detachment.
 */
#ifndef BPFPERF_EVENT_DETACH_LOCK_H
#define BPFPERF_EVENT_DETACH_LOCK_H

#include <stdbool.h>

/*
 * Detachments wait from here on (at most the one under way goes on). event_list__add() calls it
 * before it reads the first format; the process has the lock until the loop of its run starts, or
 * until it exits. False: it was held already.
 */
bool detach_lock__hold(void);
/*
 * Until then no bpfperf of the machine detaches. loop__run() calls it for all commands; a caller
 * that holds the lock for a shorter time releases it itself.
 */
void detach_lock__release(void);
/*
 * For detaching processes, around each single detachment: enter returns when no process starts and
 * no other detaches, so that a starting one waits for one detachment at most. Its result is the
 * argument of leave_detach().
 */
int detach_lock__enter_detach(void);
void detach_lock__leave_detach(int fd);

#endif

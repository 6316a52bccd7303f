/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Detaching classic tracepoints (session/detach_helper.h) holds a kernel lock (event_mutex) for an
 * RCU grace period each, minutes in total; reading a format file and attaching need that lock, too.
 * To keep a starting bpfperf from queueing behind hundreds of detachments of an earlier one, both
 * share a flock on the tracefs directory: a starting process holds it, a detaching one passes
 * through it before each single detachment.
 */
#ifndef BPFPERF_EVENT_DETACH_LOCK_H
#define BPFPERF_EVENT_DETACH_LOCK_H

#include <stdbool.h>

/*
 * Blocks further detachments (the one in progress completes). event_list__add() calls it before it
 * reads the first format; the process keeps the lock until the loop of its run starts, or until it
 * exits. After a second it logs what it waits for; a stop signal ends the wait, and the lock is not
 * held then. False: the lock was already held.
 */
bool detach_lock__hold(void);
/*
 * Releases the lock, so that other bpfperf processes can detach. loop__run() calls it for all
 * commands; a caller that holds the lock for a shorter time releases it itself.
 */
void detach_lock__release(void);
/*
 * For detaching processes, around each single detachment: enter returns when no process is starting
 * and no other is detaching, so that a starting one waits for one detachment at most. Its result is
 * the argument of leave_detach().
 */
int detach_lock__enter_detach(void);
void detach_lock__leave_detach(int fd);

#endif

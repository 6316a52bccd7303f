/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Copies of the memory of a call that has not returned, read from outside of the kernel. */
#ifndef BPFPERF_STRACE_FETCH_USER_H
#define BPFPERF_STRACE_FETCH_USER_H

#include "strace/call.h"

#define FETCH_USER_MAX 8192

/*
 * Completes the record of a thread that waits inside of a call, behind which there is room for
 * FETCH_USER_MAX bytes: appends what the call reads, and the thread's copies made at the entry.
 * Memory that cannot be read is left out.
 */
void fetch_user__complete(struct wire_call *rec, const struct strace_call *call,
			  const struct strace_thread *t);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Memory of other processes. A page of theirs may be one that never comes (of a file system in user
 * space, or of userfaultfd(2)), and no signal ends the wait for it: a thread of its own reads, and
 * is left alone when it is late.
 */
#ifndef BPFPERF_UTIL_REMOTE_MEMORY_H
#define BPFPERF_UTIL_REMOTE_MEMORY_H

#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

/* Parts of one reading. */
#define REMOTE_MEMORY_PARTS 8

/*
 * Reads the parts one after the other into `to`, up to the first that cannot be read. Returns
 * bytes, or -errno. -ETIMEDOUT: its owner's memory took too long, now or before.
 */
ssize_t remote_memory__read(pid_t pid, const struct iovec *parts, size_t cnt, void *to);

#endif

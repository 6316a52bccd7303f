/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* How bpfperf and a helper's process wake each other when one has written, or read, its ring. */
#ifndef BPFPERF_ITRACE_WAKE_H
#define BPFPERF_ITRACE_WAKE_H

#include <stdbool.h>
#include <sys/socket.h>

/*
 * Sends one byte. Returns false, and sets errno, as sendmsg(2), which is the call that both sides
 * may make.
 */
static inline bool wake__send(int fd, int flags)
{
	struct iovec iov = { .iov_base = (char *)"", .iov_len = 1 };
	const struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	return sendmsg(fd, &msg, flags | MSG_NOSIGNAL) == 1;
}

#endif

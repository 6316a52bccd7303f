// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "reader/message.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util/mono.h"

#define NS_PER_MS 1000000ull

/* Waits until the socket is ready for `events`. 0, -ETIMEDOUT or -errno. */
static int wait_for(int sock, short events, uint64_t until_ns)
{
	struct pollfd fd = { .fd = sock, .events = events };
	uint64_t now;
	int n, ms = -1;

	do {
		if (until_ns != MESSAGE_NO_LIMIT) {
			now = mono_ns();
			if (now >= until_ns)
				return -ETIMEDOUT;
			/* The last millisecond is waited for, not polled for. */
			ms = (int)((until_ns - now) / NS_PER_MS) + 1;
		}
		n = poll(&fd, 1, ms);
	} while (!n || (n < 0 && errno == EINTR));
	return n < 0 ? -errno : 0;
}

union fd_space {
	char buf[CMSG_SPACE(READER_FDS_MAX * sizeof(int))];
	struct cmsghdr align;
};

int message__send(int sock, const void *buf, size_t sz, const int *fds, uint32_t fd_cnt,
		  uint64_t until_ns)
{
	struct iovec iov = { .iov_base = (void *)buf, .iov_len = sz };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	union fd_space space = { { 0 } };
	struct cmsghdr *c;
	ssize_t n;
	int err;

	if (fd_cnt) {
		msg.msg_control = space.buf;
		msg.msg_controllen = CMSG_SPACE(fd_cnt * sizeof(int));
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(fd_cnt * sizeof(int));
		memcpy(CMSG_DATA(c), fds, fd_cnt * sizeof(int));
	}
	while (iov.iov_len) {
		n = sendmsg(sock, &msg, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) {
			err = wait_for(sock, POLLOUT, until_ns);
			if (err)
				return err;
			continue;
		}
		if (n < 0)
			return errno == EPIPE || errno == ECONNRESET ? -ECHILD : -errno;
		iov.iov_base = (char *)iov.iov_base + n;
		iov.iov_len -= (size_t)n;
		/* The descriptors went with the first byte. */
		msg.msg_control = NULL;
		msg.msg_controllen = 0;
	}
	return 0;
}

/* Takes the descriptors of a message; those beyond max are closed. */
static void take_fds(struct msghdr *msg, int *fds, uint32_t max, uint32_t *cnt)
{
	struct cmsghdr *c;
	size_t i, n;
	int fd;

	for (c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (i = 0; i < n; i++) {
			memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof(fd));
			if (*cnt < max)
				fds[(*cnt)++] = fd;
			else
				close(fd);
		}
	}
}

int message__receive(int sock, void *buf, size_t sz, int *fds, uint32_t max_cnt, uint32_t *fd_cnt,
		     uint64_t until_ns)
{
	struct iovec iov = { .iov_base = buf, .iov_len = sz };
	union fd_space space;
	struct msghdr msg;
	ssize_t n;
	int err;

	if (fd_cnt)
		*fd_cnt = 0;
	while (iov.iov_len) {
		msg = (struct msghdr){ .msg_iov = &iov, .msg_iovlen = 1 };
		/* Without room for them, the kernel drops descriptors that were sent. */
		if (fds) {
			msg.msg_control = space.buf;
			msg.msg_controllen = sizeof(space.buf);
		}
		n = recvmsg(sock, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) {
			err = wait_for(sock, POLLIN, until_ns);
			if (err)
				return err;
			continue;
		}
		if (n <= 0)
			return n && errno != ECONNRESET ? -errno : -ECHILD;
		if (fds)
			take_fds(&msg, fds, max_cnt, fd_cnt);
		iov.iov_base = (char *)iov.iov_base + n;
		iov.iov_len -= (size_t)n;
	}
	return 0;
}

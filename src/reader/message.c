// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "reader/message.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util/mono.h"

#define NS_PER_MS 1000000ull

/* Waits until the socket is ready for `events`. 0, -ETIMEDOUT or -errno. */
static int wait_for(int sock, short events, const struct message_wait *wait)
{
	struct pollfd fd = { .fd = sock, .events = events };
	uint64_t now = mono_ns();
	int n, ms = -1;

	if (now < wait->spin_until_ns) {
		sched_yield();
		return 0;
	}
	do {
		if (wait->until_ns != MESSAGE_NO_LIMIT) {
			if (now >= wait->until_ns)
				return -ETIMEDOUT;
			/* The last millisecond is waited for, not polled for. */
			ms = (int)((wait->until_ns - now) / NS_PER_MS) + 1;
		}
		n = poll(&fd, 1, ms);
		now = mono_ns();
	} while (!n || (n < 0 && errno == EINTR));
	return n < 0 ? -errno : 0;
}

/* Is the failed call to be repeated? 0: yes; else its error. */
static int after_failure(int sock, short events, const struct message_wait *wait)
{
	switch (errno) {
	case EINTR:
		return 0;
	case EAGAIN:
		return wait_for(sock, events, wait);
	case EPIPE:
	case ECONNRESET:
		return -ECHILD;
	default:
		return -errno;
	}
}

union fd_space {
	char buf[CMSG_SPACE(READER_FDS_MAX * sizeof(int))];
	struct cmsghdr align;
};

static void add_fds(struct msghdr *msg, union fd_space *space, const int *fds, uint32_t cnt)
{
	struct cmsghdr *c;

	msg->msg_control = space->buf;
	msg->msg_controllen = CMSG_SPACE(cnt * sizeof(int));
	c = CMSG_FIRSTHDR(msg);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(cnt * sizeof(int));
	memcpy(CMSG_DATA(c), fds, cnt * sizeof(int));
}

/* Moves the parts of a message behind the bytes that are done. */
static void advance(struct msghdr *msg, size_t done)
{
	while (msg->msg_iovlen && done >= msg->msg_iov->iov_len) {
		done -= msg->msg_iov->iov_len;
		msg->msg_iov++;
		msg->msg_iovlen--;
	}
	if (msg->msg_iovlen) {
		msg->msg_iov->iov_base = (char *)msg->msg_iov->iov_base + done;
		msg->msg_iov->iov_len -= done;
	}
}

int message__send(int sock, const void *head, size_t head_sz, const void *buf, size_t sz,
		  const int *fds, uint32_t fd_cnt, const struct message_wait *wait)
{
	struct iovec parts[] = { { (void *)head, head_sz }, { (void *)buf, sz } };
	struct msghdr msg = { .msg_iov = parts, .msg_iovlen = 2 };
	union fd_space space = { { 0 } };
	ssize_t n;
	int err;

	if (fd_cnt)
		add_fds(&msg, &space, fds, fd_cnt);
	advance(&msg, 0);
	while (msg.msg_iovlen) {
		n = sendmsg(sock, &msg, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (n < 0) {
			err = after_failure(sock, POLLOUT, wait);
			if (err)
				return err;
			continue;
		}
		advance(&msg, (size_t)n);
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

int message__receive(int sock, void *head, size_t head_sz, void *buf, size_t sz, size_t *got,
		     int *fds, uint32_t max_cnt, uint32_t *fd_cnt, const struct message_wait *wait)
{
	struct iovec parts[] = { { head, head_sz }, { buf, sz } };
	struct msghdr msg = { .msg_iov = parts, .msg_iovlen = 2 };
	union fd_space space;
	size_t sum = 0;
	ssize_t n;
	int err;

	if (fd_cnt)
		*fd_cnt = 0;
	while (sum < head_sz) {
		/* Without room for them, the kernel drops descriptors that were sent. */
		msg.msg_control = fds ? space.buf : NULL;
		msg.msg_controllen = fds ? sizeof(space.buf) : 0;
		n = recvmsg(sock, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
		if (!n)
			return -ECHILD;
		if (n < 0) {
			err = after_failure(sock, POLLIN, wait);
			if (err)
				return err;
			continue;
		}
		if (fds)
			take_fds(&msg, fds, max_cnt, fd_cnt);
		advance(&msg, (size_t)n);
		sum += (size_t)n;
	}
	if (got)
		*got = sum - head_sz;
	return 0;
}

int message__receive_rest(int sock, void *buf, size_t sz, const struct message_wait *wait)
{
	return message__receive(sock, buf, sz, NULL, 0, NULL, NULL, 0, NULL, wait);
}

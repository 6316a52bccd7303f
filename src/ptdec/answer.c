// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "ptdec/answer.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Sends what the socket takes. Ends the process if bpfperf has gone. */
static void send_some(struct answer *a)
{
	struct iovec iov = { a->buf + a->from, a->to - a->from };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n = sendmsg(a->fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (n < 0 && errno != EAGAIN && errno != EINTR)
		_exit(1);
	if (n > 0)
		a->from += (size_t)n;
	if (a->from == a->to)
		a->from = a->to = 0;
}

static void wait_and_send(struct answer *a)
{
	struct pollfd p = { .fd = a->fd, .events = POLLOUT };

	ppoll(&p, 1, NULL, NULL);
	send_some(a);
}

static void keep(struct answer *a, const void *data, size_t sz)
{
	size_t cap;
	char *buf;

	while (a->to - a->from + sz > a->max_sz && a->from < a->to)
		wait_and_send(a);
	if (a->from && a->to + sz > a->cap) {
		memmove(a->buf, a->buf + a->from, a->to - a->from);
		a->to -= a->from;
		a->from = 0;
	}
	if (a->to + sz > a->cap) {
		cap = a->cap ? a->cap * 2 : 1u << 20;
		if (cap < a->to + sz)
			cap = a->to + sz;
		buf = realloc(a->buf, cap);
		if (!buf)
			_exit(1);
		a->buf = buf;
		a->cap = cap;
	}
	memcpy(a->buf + a->to, data, sz);
	a->to += sz;
}

static void end_frame(struct answer *a, struct itrace_frame *frame)
{
	frame->chunk = a->chunk;
	frame->cnt = a->cnt;
	keep(a, frame, sizeof(*frame));
	keep(a, a->items, a->cnt * sizeof(*a->items));
	a->cnt = 0;
	send_some(a);
}

struct itrace_item *answer__add(struct answer *a)
{
	struct itrace_frame frame = { 0 };
	struct itrace_item *item;

	if (a->cnt == ITRACE_FRAME_MAX)
		end_frame(a, &frame);
	item = &a->items[a->cnt++];
	memset(item, 0, sizeof(*item));
	return item;
}

void answer__end_chunk(struct answer *a, const struct itrace_frame *sums)
{
	struct itrace_frame frame = *sums;

	frame.is_last = true;
	end_frame(a, &frame);
}

void answer__finish(struct answer *a)
{
	while (a->from < a->to)
		wait_and_send(a);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "tracedec/answer.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static size_t size_of(const struct answer_block *b)
{
	return sizeof(b->frame) + b->frame.cnt * sizeof(*b->items);
}

/* Linux 5.14; headers may be older. */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/*
 * Memory of a block, all of it at once: page by page costs more than what is written there. It
 * is malloc's, as small blocks are, since a leak checker does not see pointers in other mappings.
 */
static struct answer_block *alloc_block(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t sz = (sizeof(struct answer_block) + page - 1) & ~(page - 1);
	void *p = aligned_alloc(page, sz);

	if (p)
		madvise(p, sz, MADV_POPULATE_WRITE);
	return p;
}

/* An empty block. NULL: no memory. */
static struct answer_block *new_block(struct answer *a)
{
	struct answer_block *b = a->spare;

	if (b)
		a->spare = b->next;
	else
		b = alloc_block();
	if (b) {
		b->next = NULL;
		b->is_small = false;
		memset(&b->frame, 0, sizeof(b->frame));
	}
	return b;
}

static void give_back(struct answer *a, struct answer_block *b)
{
	if (b->is_small) {
		free(b);
		return;
	}
	b->next = a->spare;
	a->spare = b;
}

/* Frames of a few items wait in blocks of their size: thousands of whole ones would fill memory. */
static struct answer_block *shrink(struct answer *a, struct answer_block *b)
{
	size_t sz = offsetof(struct answer_block, items) + b->frame.cnt * sizeof(*b->items);
	struct answer_block *small;

	if (!a->first || b->frame.cnt > ITRACE_FRAME_MAX / 4)
		return b;
	small = malloc(sz);
	if (!small)
		return b;
	/* Only bytes are written to what is smaller than its type: compilers warn of members. */
	b->is_small = true;
	memcpy(small, b, sz);
	b->is_small = false;
	give_back(a, b);
	return small;
}

/* Sends what the socket takes. Ends the process if bpfperf has gone. */
static void send_some(struct answer *a, int flags)
{
	struct answer_block *b;
	struct iovec iov;
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n;

	while ((b = a->first)) {
		iov.iov_base = (char *)&b->frame + a->sent;
		iov.iov_len = size_of(b) - a->sent;
		n = sendmsg(a->fd, &msg, flags | MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			_exit(1);
		if (n < 0)
			return;
		a->sent += (size_t)n;
		if (a->sent < size_of(b))
			continue;
		a->sent = 0;
		a->waiting_sz -= size_of(b);
		a->first = b->next;
		give_back(a, b);
		/* One at a time, where it waits. */
		if (!(flags & MSG_DONTWAIT))
			return;
	}
}

/* Puts the open block behind those that wait, and opens another one. */
static void close_block(struct answer *a)
{
	struct answer_block *b = a->open;

	b->frame.chunk = a->chunk;
	b = shrink(a, b);
	if (a->first)
		a->last->next = b;
	else
		a->first = b;
	a->last = b;
	a->waiting_sz += size_of(b);
	send_some(a, MSG_DONTWAIT);
	while (a->waiting_sz > a->max_sz)
		send_some(a, 0);
	a->open = new_block(a);
	if (!a->open)
		_exit(1);
}

int answer__init(struct answer *a, int fd, size_t max_sz)
{
	*a = (struct answer){ .fd = fd, .max_sz = max_sz };
	a->open = new_block(a);
	return a->open ? 0 : -ENOMEM;
}

struct itrace_item *answer__add(struct answer *a)
{
	struct itrace_item *item;

	if (a->open->frame.cnt == ITRACE_FRAME_MAX)
		close_block(a);
	item = &a->open->items[a->open->frame.cnt++];
	memset(item, 0, sizeof(*item));
	return item;
}

void answer__end_chunk(struct answer *a, const struct itrace_frame *sums)
{
	uint32_t cnt = a->open->frame.cnt;

	a->open->frame = *sums;
	a->open->frame.cnt = cnt;
	a->open->frame.is_last = true;
	close_block(a);
}

void answer__finish(struct answer *a)
{
	while (a->first)
		send_some(a, 0);
}

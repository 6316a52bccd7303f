// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "tracedec/answer.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "itrace/wake.h"
#include "util/present.h"

/* Memory of the ring that is made present at once, before it is written. */
#define PRESENT_STEP_SZ (128u << 10)

/* Sleeps until bpfperf has taken all bytes before pos. Ends the process if bpfperf has gone. */
static void wait_until_taken(struct answer *a, uint64_t pos)
{
	struct itrace_ring *ring = a->ring;
	char byte;
	ssize_t n;

	__atomic_store_n(&ring->wants_taken, pos, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&ring->taken, __ATOMIC_SEQ_CST) < pos) {
		n = read(a->fd, &byte, 1);
		if (!n || (n < 0 && errno != EINTR))
			_exit(1);
	}
	__atomic_store_n(&ring->wants_taken, 0, __ATOMIC_RELAXED);
}

static void make_present(struct answer *a, uint64_t off)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), end = off + ITRACE_FRAME_MAX_SZ;
	const uint64_t whole_sz = offsetof(struct itrace_ring, bytes) + a->sz;
	uint64_t sz;

	while (a->present_sz < whole_sz && a->present_sz < end + page) {
		sz = whole_sz - a->present_sz;
		sz = sz < PRESENT_STEP_SZ ? sz : PRESENT_STEP_SZ;
		present__make((char *)a->ring + a->present_sz, sz);
		a->present_sz += sz;
	}
}

/* Opens a frame behind the last one, when there is room for it. */
static void open_frame(struct answer *a)
{
	uint64_t end;

	a->at = itrace_ring__place(a->at, a->sz);
	end = a->at + ITRACE_FRAME_MAX_SZ;
	/* It wakes once for half of the ring, and not for each frame. */
	if (end > a->sz && __atomic_load_n(&a->ring->taken, __ATOMIC_ACQUIRE) < end - a->sz)
		wait_until_taken(a, a->at - a->sz / 2);
	make_present(a, a->at % a->sz);
	a->open = (void *)(a->ring->bytes + a->at % a->sz);
	a->items = (void *)(a->open + 1);
	a->cnt = 0;
	*a->open = (struct itrace_frame){ 0 };
}

/* Gives the open frame to bpfperf, and opens another one. */
static void close_frame(struct answer *a)
{
	struct itrace_ring *ring = a->ring;

	a->open->chunk = a->chunk;
	a->open->cnt = a->cnt;
	a->at += sizeof(*a->open) + a->cnt * sizeof(*a->items);
	__atomic_store_n(&ring->written, a->at, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&ring->reader_sleeps, __ATOMIC_SEQ_CST) &&
	    __atomic_exchange_n(&ring->reader_sleeps, 0, __ATOMIC_SEQ_CST))
		while (!wake__send(a->fd, 0))
			if (errno != EINTR)
				_exit(1);
	open_frame(a);
}

int answer__init(struct answer *a, int fd, int ring_fd, uint64_t ring_sz)
{
	void *ring;

	if (ring_sz < 2 * ITRACE_FRAME_MAX_SZ)
		return -EINVAL;
	ring = mmap(NULL, sizeof(struct itrace_ring) + ring_sz, PROT_READ | PROT_WRITE, MAP_SHARED,
		    ring_fd, 0);
	if (ring == MAP_FAILED)
		return -errno;
	*a = (struct answer){ .fd = fd, .ring = ring, .sz = ring_sz };
	open_frame(a);
	return 0;
}

struct itrace_item *answer__add(struct answer *a)
{
	struct itrace_item *item;

	if (a->cnt == ITRACE_FRAME_MAX)
		close_frame(a);
	item = &a->items[a->cnt++];
	memset(item, 0, sizeof(*item));
	return item;
}

void answer__end_chunk(struct answer *a, const struct itrace_frame *sums)
{
	*a->open = *sums;
	a->open->is_last = true;
	close_frame(a);
}

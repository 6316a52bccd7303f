// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "itrace/answer_ring.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "itrace/wake.h"
#include "util/stop_signals.h"

/* Interval in which a wait for a process checks for signals that stop bpfperf. */
#define STOP_CHECK_MS 50

int answer_ring__make(struct answer_ring *r, int fd, uint64_t ring_sz)
{
	const uint64_t sz = sizeof(struct itrace_ring) + ring_sz;
	int mem_fd = memfd_create("answers", MFD_CLOEXEC | MFD_ALLOW_SEALING), err;
	void *mem;

	*r = (struct answer_ring){ .sz = ring_sz, .fd = fd };
	if (mem_fd < 0)
		return -errno;
	/* A process that cut it would end ours: memory behind a file's end is none. */
	if (ftruncate(mem_fd, (off_t)sz) || fcntl(mem_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL))
		goto fail;
	mem = mmap(NULL, sz, PROT_READ | PROT_WRITE, MAP_SHARED, mem_fd, 0);
	if (mem == MAP_FAILED)
		goto fail;
	r->mem = mem;
	return mem_fd;
fail:
	err = -errno;
	close(mem_fd);
	return err;
}

void answer_ring__free(struct answer_ring *r)
{
	if (r->mem)
		munmap(r->mem, sizeof(*r->mem) + r->sz);
	r->mem = NULL;
}

static bool has_frame(const struct answer_ring *r)
{
	return __atomic_load_n(&r->mem->written, __ATOMIC_SEQ_CST) != r->at;
}

/* Sleeps until the process writes a frame. 0, -EPIPE or -ECANCELED. */
static int wait_for_frame(struct answer_ring *r)
{
	struct pollfd fd = { .fd = r->fd, .events = POLLIN };
	char bytes[64];
	ssize_t n;

	for (;;) {
		if (stop_signals__caught(NULL))
			return -ECANCELED;
		if (has_frame(r))
			return 0;
		/* The process looks at this after its write: one of both sees that of the other. */
		__atomic_store_n(&r->mem->reader_sleeps, 1, __ATOMIC_SEQ_CST);
		if (has_frame(r))
			return 0;
		if (poll(&fd, 1, STOP_CHECK_MS) <= 0)
			continue;
		n = recv(r->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
		if (n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN)))
			continue;
		/* It may have written its last frames before it ended. */
		if (!has_frame(r))
			return -EPIPE;
	}
}

int answer_ring__wait(struct answer_ring *r, struct itrace_frame *frame)
{
	int err = wait_for_frame(r);

	if (err)
		return err;
	r->at = itrace_ring__place(r->at, r->sz);
	memcpy(frame, r->mem->bytes + r->at % r->sz, sizeof(*frame));
	/* The process can still write there: what is looked at is the copy. */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return frame->cnt > ITRACE_FRAME_MAX ? -EPIPE : 0;
}

void answer_ring__take(struct answer_ring *r, const struct itrace_frame *frame,
		       struct itrace_item *items)
{
	const size_t sz = frame->cnt * sizeof(*items);
	uint64_t wanted;

	if (sz)
		memcpy(items, r->mem->bytes + r->at % r->sz + sizeof(*frame), sz);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	r->at += sizeof(*frame) + sz;
	__atomic_store_n(&r->mem->taken, r->at, __ATOMIC_SEQ_CST);
	wanted = __atomic_load_n(&r->mem->wants_taken, __ATOMIC_SEQ_CST);
	if (wanted && wanted <= r->at &&
	    __atomic_exchange_n(&r->mem->wants_taken, 0, __ATOMIC_SEQ_CST))
		/* It does not wait: a hostile process may not read what wakes it. */
		wake__send(r->fd, MSG_DONTWAIT);
}

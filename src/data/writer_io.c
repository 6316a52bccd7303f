// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Writes the bytes of a recording, and logs why a write failed. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "data/writer_priv.h"
#include "util/log.h"
#include "util/mono.h"

/* Interval of checks for the user's wish to end, while waiting for a reader. */
#define WAIT_MS 50
/*
 * How long the end of a pipe waits for a reader that accepts no data: a busy reader would otherwise
 * lose part of the recording. A second signal ends the wait.
 */
#define ENDING_WAIT_NS 10000000000ull

int writer_io__log(const struct data_writer *w, int err)
{
	if (err == -EPIPE)
		return err;
	if (err == -ENOSPC || err == -EDQUOT)
		log_error(
			w->is_pipe
				? "cannot write %s: %s; give it more room"
				: "cannot write %s: %s; it can be read up to its last complete "
				  "round: free some space and record again, or give -o another disk",
			w->path, strerror(-err));
	else if (err == -ETIMEDOUT)
		log_error("the reader of %s does not read; unwritten data is dropped", w->path);
	else if (err == -EFBIG)
		log_error(
			"cannot write %s: the file has the largest size allowed here; record for a "
			"shorter time, or raise ulimit -f",
			w->path);
	else if (err == -ENOMEM)
		log_error("no memory to write %s", w->path);
	else
		log_error("cannot write %s: %s; give -o a file on another disk", w->path,
			  strerror(-err));
	return err;
}

static bool is_ending(struct data_writer *w)
{
	bool ending;

	pthread_mutex_lock(&w->lock);
	ending = w->is_ending || w->is_asked;
	pthread_mutex_unlock(&w->lock);
	return ending;
}

/* Waits until PIPE_BUF bytes can be written without blocking. False: stop waiting. */
static bool wait_writable(struct data_writer *w)
{
	struct pollfd p = { .fd = w->fd, .events = POLLOUT };
	uint64_t end_ns = 0;

	/* The write reports any error. */
	while (poll(&p, 1, WAIT_MS) <= 0) {
		if (!is_ending(w))
			continue;
		if (!end_ns)
			end_ns = mono_ns() + ENDING_WAIT_NS;
		if (mono_ns() >= end_ns)
			return false;
	}
	return true;
}

static ssize_t write_some(struct data_writer *w, const char *data, size_t sz)
{
	if (!w->is_pipe)
		return pwrite(w->fd, data, sz, (off_t)w->off);
	if (w->may_block) {
		if (!wait_writable(w)) {
			errno = ETIMEDOUT;
			return -1;
		}
		sz = sz < PIPE_BUF ? sz : PIPE_BUF;
	}
	return write(w->fd, data, sz);
}

void writer_io__moved(struct data_writer *w, size_t sz)
{
	w->off += sz;
	__atomic_store_n(&w->written, w->off, __ATOMIC_RELAXED);
}

int writer_io__append(struct data_writer *w, const void *data, size_t sz)
{
	const char *p = data;
	ssize_t n;

	while (sz) {
		n = write_some(w, p, sz);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return writer_io__log(w, -errno);
		p += n;
		sz -= (size_t)n;
		writer_io__moved(w, (size_t)n);
	}
	return 0;
}

int writer_io__patch(struct data_writer *w, uint64_t off, const void *data, size_t sz)
{
	const char *p = data;
	ssize_t n;

	while (sz) {
		n = pwrite(w->fd, p, sz, (off_t)off);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		off += (uint64_t)n;
		sz -= (size_t)n;
	}
	return 0;
}

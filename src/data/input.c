// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "data/input.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/mono.h"
#include "util/present.h"
#include "util/stop_signals.h"

/* Size of one read. */
#define BLOCK_SZ (1u << 20)

/* Interval in which a reader that waits for a writer checks for signals that stop bpfperf. */
#define STOP_CHECK_MS 50

/* Time for which a pipe is read after SIGTERM. */
#define ENDING_WAIT_NS 1000000000ull

void input__init(struct input *in, int fd, uint64_t off, uint64_t left)
{
	struct stat st;

	*in = (struct input){ .fd = fd, .off = off, .left = left };
	in->is_pipe = !fstat(fd, &st) && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

void input__free(struct input *in)
{
	free(in->buf);
	in->buf = NULL;
}

/* Makes room for `ask` bytes at the end: all remaining bytes, or a block. */
static int make_room(struct input *in, size_t ask)
{
	size_t room = ask < BLOCK_SZ ? ask : 2 * BLOCK_SZ;
	uint8_t *moved;

	if (in->start) {
		memmove(in->buf, in->buf + in->start, in->end - in->start);
		in->end -= in->start;
		in->start = 0;
	}
	if (in->cap - in->end >= ask)
		return 0;
	moved = realloc(in->buf, in->end + room);
	if (!moved)
		return -ENOMEM;
	in->buf = moved;
	in->cap = in->end + room;
	/* A pipe may have a few bytes. */
	if (!in->is_pipe)
		present__make(in->buf + in->end, ask);
	return 0;
}

static bool is_to_stop(struct input *in)
{
	int first, cnt = stop_signals__caught(&first);

	if (!cnt)
		return false;
	if (!in->is_pipe || cnt >= INPUT_PIPE_STOPS)
		return true;
	if (first != SIGTERM)
		return false;
	if (!in->stop_ns)
		in->stop_ns = mono_ns() + ENDING_WAIT_NS;
	return mono_ns() >= in->stop_ns;
}

/* Waits for input or the end. False: stop reading. */
static bool wait_readable(struct input *in)
{
	struct pollfd p = { .fd = in->fd, .events = POLLIN };

	while (!is_to_stop(in))
		/* The read reports any error. */
		if (poll(&p, 1, STOP_CHECK_MS) > 0)
			return true;
	return false;
}

/* Reads once. 0 or -errno. */
static int read_some(struct input *in)
{
	size_t ask = in->left < BLOCK_SZ ? (size_t)in->left : BLOCK_SZ;
	ssize_t got;

	if (!wait_readable(in)) {
		in->is_stopped = true;
		in->left = 0;
		return 0;
	}
	if (in->cap - in->end < ask && make_room(in, ask))
		return -ENOMEM;
	got = read(in->fd, in->buf + in->end, ask);
	if (got < 0)
		return errno == EINTR ? 0 : -errno;
	in->end += (size_t)got;
	if (in->left != UINT64_MAX)
		in->left -= (size_t)got;
	if (!got) {
		in->is_short = in->left != UINT64_MAX;
		in->left = 0;
	}
	return 0;
}

int64_t input__peek(struct input *in, size_t want, const uint8_t **data)
{
	int err;

	while (in->end - in->start < want && in->left) {
		err = read_some(in);
		if (err)
			return err;
	}
	*data = in->buf ? in->buf + in->start : NULL;
	return (int64_t)(in->end - in->start);
}

int input__skip(struct input *in, uint64_t sz)
{
	const uint8_t *data;
	int64_t got;

	while (sz) {
		size_t step = sz < BLOCK_SZ ? (size_t)sz : BLOCK_SZ;

		got = input__peek(in, step, &data);
		if (got < 0)
			return (int)got;
		if ((size_t)got < step) {
			in->off += (size_t)got;
			in->start = in->end;
			return -ENODATA;
		}
		in->start += step;
		in->off += step;
		sz -= step;
	}
	return 0;
}

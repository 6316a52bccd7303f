// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/log.h"
#include "util/mono.h"
#include "util/out_file.h"
#include "util/out_remover.h"
#include "util/stop_signals.h"

/* Large enough that the cost of write(2) is noise, small enough to stay in the cache. */
#define BLOCK_SZ (256u << 10)

/*
 * Capacity of a pipe, if it may be enlarged (64 KiB by default): fewer switches between bpfperf and
 * the reader.
 */
#define PIPE_SZ (1 << 20)

/* Interval of the check for a stop request while waiting for the reader. */
#define STOP_CHECK_MS 50

/* Limit of the wait for a stalled reader at the last output. */
#define ENDING_WAIT_NS 1000000000ull

/* Writing can block on a reader: not for a file, a disk or /dev/null. */
/*
 * A pipe takes blocks of any size if writing cannot block. O_NONBLOCK on stdout would change it for
 * other processes, so the pipe is opened anew; if that fails, PIPE_BUF bytes are written at a time.
 */
static void open_pipe(struct out *out)
{
	struct stat st;
	char path[32];
	int fd = out->fd, flags;

	if (fstat(fd, &st) || !S_ISFIFO(st.st_mode))
		return;
	if (!out->owns_fd) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			return;
		out->fd = fd;
		out->owns_fd = true;
	}
	flags = fcntl(fd, F_GETFL);
	out->never_blocks = flags >= 0 && !fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	/* This fails for a user with many pipes. */
	fcntl(fd, F_SETPIPE_SZ, PIPE_SZ);
}

int out__open(struct out *out, const char *path)
{
	bool is_new;
	int fd;

	memset(out, 0, sizeof(*out));
	if (!path || strcmp(path, "-") == 0) {
		out->fd = STDOUT_FILENO;
		out->path = "stdout";
		out->is_stdout = true;
		out->is_tty = isatty(out->fd);
		out->may_block = out_file__may_block(out->fd);
		open_pipe(out);
		return 0;
	}
	fd = out_file__open(path, 0, 0666, &is_new);
	if (fd < 0) {
		out_file__log(path, fd);
		return fd;
	}
	out__use(out, fd, path);
	out->is_new = is_new;
	if (is_new)
		out_remover__note(path);
	return 0;
}

void out__use(struct out *out, int fd, const char *path)
{
	*out = (struct out){ .fd = fd, .path = path, .owns_fd = true };
	out->may_block = out_file__may_block(fd);
	open_pipe(out);
}

void out__name(struct out *out, const char *path)
{
	*out = (struct out){ .fd = -1, .path = path };
}

void out__begin(struct out *out)
{
	out->is_new = false;
	if (out->owns_fd && out_file__is_regular(out->fd) && ftruncate(out->fd, 0))
		log_warn("cannot empty %s: %s", out->path, strerror(errno));
}

/* Cuts off the torn record after a failed write, so that the file ends with a whole one. */
static void cut_torn_record(struct out *out, size_t done)
{
	size_t whole = done;
	struct stat st;
	off_t end;

	while (whole && out->buf.buf[whole - 1] != '\n')
		whole--;
	if (whole == done || fstat(out->fd, &st) || !S_ISREG(st.st_mode))
		return;
	/*
	 * stdout may append to a file, or be shared with CMD: only our own bytes at its end are
	 * cut.
	 */
	end = lseek(out->fd, 0, SEEK_CUR);
	if (end != st.st_size || end < (off_t)(done - whole) ||
	    ftruncate(out->fd, end - (off_t)(done - whole)) ||
	    lseek(out->fd, end - (off_t)(done - whole), SEEK_SET) < 0)
		log_warn("the last line of %s is incomplete", out->path);
}

static bool is_to_stop(const struct out *out)
{
	if (out->stop_ns && mono_ns() >= out->stop_ns)
		return true;
	return stop_signals__pending();
}

static bool is_ending(struct out *out)
{
	out->ending |= out->stop_is_end && stop_signals__pending();
	return out->ending;
}

/*
 * Waits until some bytes (PIPE_BUF for a pipe) can be written without blocking. False: do not wait
 * longer.
 */
static bool wait_writable(struct out *out)
{
	struct pollfd p = { .fd = out->fd, .events = POLLOUT };
	uint64_t end = 0;

	for (;;) {
		/* On an error the write reports it. */
		if (poll(&p, 1, STOP_CHECK_MS) > 0)
			return true;
		if (!is_ending(out) && is_to_stop(out))
			return false;
		if (!out->ending)
			continue;
		if (!end)
			end = mono_ns() + ENDING_WAIT_NS;
		if (mono_ns() >= end)
			return false;
	}
}

/* Writes one piece: bytes written, 0 if the reader is not waited for, or -errno. */
static ssize_t write_some(struct out *out, const char *data, size_t len)
{
	ssize_t n;

	for (;;) {
		if (out->may_block && !out->never_blocks) {
			if (!wait_writable(out))
				return 0;
			len = len < PIPE_BUF ? len : PIPE_BUF;
		}
		n = write(out->fd, data, len);
		if (n >= 0)
			return n;
		if (errno == EAGAIN && !wait_writable(out))
			return 0;
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
	}
}

static void keep_rest(struct out *out, size_t done)
{
	memmove(out->buf.buf, out->buf.buf + done, out->buf.len - done);
	out->buf.len -= done;
}

int out__flush(struct out *out)
{
	size_t done = 0;

	if (out->stalled && !out->ending)
		return 0;
	while (!out->err && done < out->buf.len) {
		ssize_t n = write_some(out, out->buf.buf + done, out->buf.len - done);

		if (n == 0 && !out->ending) {
			out->stalled = true;
			keep_rest(out, done);
			return 0;
		}
		if (n <= 0) {
			out->err = n ? (int)n : -ETIMEDOUT;
			break;
		}
		done += (size_t)n;
		out->written += (size_t)n;
	}
	if (out->err && done < out->buf.len) {
		cut_torn_record(out, done);
		/* A reader that exits early (head, less) is no failure. */
		if (out->err == -ETIMEDOUT)
			log_error("the reader of %s does not read: the last %zu KiB are dropped; "
				  "write to a file",
				  out->path, (out->buf.len - done + 1023) / 1024);
		else if (out->err != -EPIPE)
			log_error("cannot write %s: %s; what was written before is complete up to "
				  "its last line",
				  out->path, strerror(-out->err));
	}
	strbuf__reset(&out->buf);
	return out->err;
}

int out__commit(struct out *out)
{
	if (out->err) {
		strbuf__reset(&out->buf);
		return out->err;
	}
	return out->buf.len >= BLOCK_SZ ? out__flush(out) : 0;
}

int out__close(struct out *out)
{
	out__flush(out);
	if (out->is_new && !out->written)
		out_remover__remove(out->path);
	out->is_new = false;
	if (out->owns_fd && close(out->fd) && !out->err) {
		out->err = -errno;
		log_error("cannot write %s: %s", out->path, strerror(-out->err));
	}
	out->owns_fd = false;
	strbuf__free(&out->buf);
	return out->err;
}

bool out__may_color(void)
{
	const char *no_color = getenv("NO_COLOR");

	return !no_color || !*no_color;
}

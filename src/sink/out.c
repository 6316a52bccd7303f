// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/out.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/log.h"

/* Large enough that write(2) is noise, small enough to stay in the cache. */
#define BLOCK_SZ (256u << 10)

int out__open(struct out *out, const char *path)
{
	memset(out, 0, sizeof(*out));
	if (!path || strcmp(path, "-") == 0) {
		out->fd = STDOUT_FILENO;
		out->path = "stdout";
		out->is_tty = isatty(out->fd);
		return 0;
	}
	out->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (out->fd < 0) {
		int err = -errno;

		log_error("cannot write %s: %s; give -o a file in a directory you may write to",
			  path, strerror(-err));
		return err;
	}
	out->path = path;
	out->owns_fd = true;
	return 0;
}

/* What a failed write left of a record is cut off, so that the file ends with a whole one. */
static void cut_torn_record(struct out *out, size_t done)
{
	struct stat st;
	size_t whole = done;

	while (whole && out->buf.buf[whole - 1] != '\n')
		whole--;
	if (fstat(out->fd, &st) == 0 && S_ISREG(st.st_mode) && whole < done &&
	    ftruncate(out->fd, (off_t)(out->written - (done - whole))))
		log_warn("the last line of %s is incomplete", out->path);
}

int out__flush(struct out *out)
{
	size_t done = 0;

	while (!out->err && done < out->buf.len) {
		ssize_t n = write(out->fd, out->buf.buf + done, out->buf.len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			out->err = -errno;
			break;
		}
		done += (size_t)n;
		out->written += (size_t)n;
	}
	if (out->err && done < out->buf.len && out->buf.len) {
		cut_torn_record(out, done);
		/* A reader that has seen enough (head, less) is no failure. */
		if (out->err != -EPIPE)
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
	if (out->owns_fd && close(out->fd) && !out->err) {
		out->err = -errno;
		log_error("cannot write %s: %s", out->path, strerror(-out->err));
	}
	out->owns_fd = false;
	strbuf__free(&out->buf);
	return out->err;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Opens the file or pipe that a recording is written to. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/writer_priv.h"
#include "util/log.h"
#include "util/stop_signals.h"

/* Interval of checks whether a named pipe has a reader. */
#define READER_WAIT_MS 50

/* True for a pipe, terminal or socket, which need a reader. */
static bool may_block(int fd)
{
	struct stat st;

	return fstat(fd, &st) || S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) ||
	       (S_ISCHR(st.st_mode) && isatty(fd));
}

static bool is_regular(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

static bool is_fifo(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

/*
 * Opens an existing file, or a named pipe once it has a reader. open() could wait for that, too,
 * but the signals that the recorder handles are blocked and would not end it. The fd or -errno;
 * -EINTR: the user asked for an end.
 */
static int open_existing(const char *path)
{
	int fd, err;

	for (;;) {
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, WRITER_FILE_MODE);
		err = -errno;
		if (fd >= 0 || err != -ENXIO || !is_fifo(path))
			break;
		if (stop_signals__pending())
			return -EINTR;
		poll(NULL, 0, READER_WAIT_MS);
	}
	if (fd < 0)
		return err;
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}

static int say(const char *path, int err)
{
	if (err == -EINTR)
		log_error("no process has opened the named pipe %s for reading", path);
	else
		log_error("cannot write %s: %s; give -o a file in a directory you may write to",
			  path, strerror(-err));
	return err;
}

int writer_open__fd(struct data_writer *w, const char *path)
{
	w->path = path;
	w->fd = STDOUT_FILENO;
	if (!path || !strcmp(path, "-")) {
		w->path = "stdout";
		w->is_pipe = true;
	} else {
		w->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, WRITER_FILE_MODE);
		w->is_new = w->fd >= 0;
		if (w->fd < 0)
			w->fd = errno == EEXIST ? open_existing(path) : -errno;
		if (w->fd < 0)
			return say(path, w->fd);
		w->owns_fd = true;
		/* A named pipe or device: writes at arbitrary offsets are impossible. */
		w->is_pipe = !is_regular(w->fd);
	}
	if (isatty(w->fd)) {
		log_error("a recording is binary, and stdout is a terminal; give -o FILE, or a "
			  "pipe");
		return -EINVAL;
	}
	w->may_block = may_block(w->fd);
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Opens the file or pipe that a recording is written to. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/writer_priv.h"
#include "util/log.h"
#include "util/out_file.h"
#include "util/stop_signals.h"

/* Interval of checks whether a named pipe has a reader. */
#define READER_WAIT_MS 50

static bool is_fifo(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

/*
 * Opens a file, or a named pipe once it has a reader. open() could wait for that, too,
 * but the signals that the recorder handles are blocked and would not end it. The fd or -errno;
 * -EINTR: the user asked for an end.
 */
static int open_output(const char *path, bool *is_new)
{
	int fd;

	while ((fd = out_file__open(path, O_NONBLOCK, WRITER_FILE_MODE, is_new)) == -ENXIO &&
	       is_fifo(path)) {
		if (stop_signals__pending())
			return -EINTR;
		poll(NULL, 0, READER_WAIT_MS);
	}
	if (fd >= 0)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}

static int log_refused(const char *path, int err)
{
	if (err == -EINTR)
		log_error("no process has opened the named pipe %s for reading", path);
	else
		out_file__log(path, err);
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
		w->fd = open_output(path, &w->is_new);
		if (w->fd < 0)
			return log_refused(path, w->fd);
		w->owns_fd = true;
		/* A named pipe or device: writes at arbitrary offsets are impossible. */
		w->is_pipe = !out_file__is_regular(w->fd);
	}
	if (isatty(w->fd)) {
		log_error("a recording is binary, and stdout is a terminal; give -o FILE, or a "
			  "pipe");
		return -EINVAL;
	}
	w->may_block = out_file__may_block(w->fd);
	return 0;
}

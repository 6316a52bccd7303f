// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/report_text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/hist_script.h"
#include "profile/profile_read.h"
#include "profile/script_text.h"
#include "sink/hist_text.h"
#include "util/fs.h"
#include "util/log.h"
#include "util/stop_signals.h"

/* Enough for the magic number of a recording. */
#define PEEK_SZ 8

/*
 * Copies the first bytes of a pipe, which stay in it, once there are some. Returns their number;
 * after a signal the reader of recordings decides how long a pipe is waited for.
 */
static ssize_t peek_pipe(int fd, char *buf)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int copy[2];
	ssize_t n = 0, got;

	if (pipe2(copy, O_CLOEXEC))
		return 0;
	/* tee() waits as well, but not for a pipe that is non-blocking. */
	do
		got = poll(&p, 1, -1) < 0 ? -1 : tee(fd, copy[1], PEEK_SZ, 0);
	while (got < 0 && (errno == EINTR || errno == EAGAIN) && !stop_signals__pending());
	if (got > 0)
		n = read(copy[0], buf, PEEK_SZ);
	close(copy[0]);
	close(copy[1]);
	return n;
}

static ssize_t peek(int fd, char *buf)
{
	off_t at = lseek(fd, 0, SEEK_CUR);

	return at < 0 ? peek_pipe(fd, buf) : pread(fd, buf, PEEK_SZ, at);
}

static bool begins_as_text(int fd)
{
	static const char *const magics[] = { "PERFILE2", "2ELIFREP", "PERFFILE", "ELIFFREP" };
	unsigned char buf[PEEK_SZ];
	ssize_t n = peek(fd, (char *)buf), i;

	for (i = 0; i < n; i++)
		if ((buf[i] < ' ' && !strchr("\t\r\n", buf[i])) || !buf[i] || buf[i] == 0x7f)
			return false;
	for (i = 0; i < 4 && n == PEEK_SZ; i++)
		if (!memcmp(buf, magics[i], PEEK_SZ))
			return false;
	return n > 0;
}

/*
 * A named pipe is opened once: when it is closed its writer is told so, and what it has written is
 * lost. From here on it is stdin. 0; -ECANCELED, logged. Other errors are left to the reader.
 */
static int make_stdin(const char **input)
{
	int fd = fs__open_waiting(*input);

	if (fd == -ECANCELED)
		log_error("stopped before any part of %s was read", *input);
	if (fd < 0)
		return fd == -ECANCELED ? fd : 0;
	if (fd != STDIN_FILENO) {
		if (dup2(fd, STDIN_FILENO) == STDIN_FILENO)
			*input = "-";
		close(fd);
	} else {
		*input = "-";
	}
	return 0;
}

int report_text__is(const char **input)
{
	const char *path = *input ? *input : "perf.data";
	struct stat st;
	int fd, err = 0;
	bool is;

	if (strcmp(path, "-") && !stat(path, &st) && S_ISFIFO(st.st_mode)) {
		err = make_stdin(&path);
		*input = path;
	}
	if (err)
		return err;
	if (!strcmp(path, "-"))
		return begins_as_text(STDIN_FILENO);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return 0;
	is = begins_as_text(fd);
	close(fd);
	return is;
}

int report_text__open(struct report_text *t, const char *input)
{
	*t = (struct report_text){ .path = input ? input : "perf.data" };
	t->text = profile_read__whole(t->path, "a recording, or the text of perf script", &t->len);
	if (!t->text)
		return -errno;
	if (!script_text__is(t->text, t->len)) {
		log_error("%s is not a recording of perf (perf.data), nor the text of perf script; "
			  "`bpfperf stack -i` reads profiles that were saved",
			  strcmp(t->path, "-") ? t->path : "stdin");
		return -EBADMSG;
	}
	t->has_chains = hist_script__has_chains(t->text, t->len);
	return 0;
}

int report_text__print(const struct report_text *t, const struct hist_config *cfg, bool is_quiet,
		       const char *separator, struct out *out)
{
	struct hist_script script;
	const struct hist_text_config text = {
		.out = out,
		.comm_of = hist_script__comm,
		.ctx = &script,
		.is_quiet = is_quiet,
		.separator = separator,
	};
	struct hist hist;
	int err;

	hist__init(&hist, cfg);
	err = hist_script__read(&script, &hist, t->text, t->len);
	if (!err)
		err = hist_text__print(&hist, &text);
	hist_script__free(&script);
	hist__free(&hist);
	return err;
}

void report_text__close(struct report_text *t)
{
	free(t->text);
	t->text = NULL;
}

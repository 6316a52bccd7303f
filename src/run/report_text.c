// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/report_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/hist_script.h"
#include "profile/profile_read.h"
#include "profile/script_text.h"
#include "sink/hist_text.h"
#include "util/log.h"

/* Enough for the magic number of a recording. */
#define PEEK_SZ 8

/* Copies the first bytes of a pipe, which stay in it. Returns their number. */
static ssize_t peek_pipe(int fd, char *buf)
{
	int copy[2];
	ssize_t n = 0, got;

	if (pipe2(copy, O_CLOEXEC))
		return 0;
	do
		got = tee(fd, copy[1], PEEK_SZ, 0);
	while (got < 0 && errno == EINTR);
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

bool report_text__is(const char *input)
{
	static const char *const magics[] = { "PERFILE2", "2ELIFREP", "PERFFILE", "ELIFFREP" };
	bool is_stdin = input && !strcmp(input, "-");
	int fd = is_stdin ? STDIN_FILENO
			  : open(input ? input : "perf.data", O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char buf[PEEK_SZ];
	ssize_t n, i;

	if (fd < 0)
		return false;
	n = peek(fd, buf);
	if (!is_stdin)
		close(fd);
	for (i = 0; i < n; i++)
		if ((buf[i] < ' ' && !strchr("\t\r\n", buf[i])) || !buf[i] || buf[i] == 0x7f)
			return false;
	for (i = 0; i < 4 && n == PEEK_SZ; i++)
		if (!memcmp(buf, magics[i], PEEK_SZ))
			return false;
	return n > 0;
}

int report_text__open(struct report_text *t, const char *input)
{
	*t = (struct report_text){ .path = input ? input : "perf.data" };
	t->text = profile_read__whole(t->path, &t->len);
	if (!t->text)
		return -errno;
	if (!script_text__is(t->text, t->len)) {
		log_error("%s is not a recording of perf (perf.data), nor the text of perf script; "
			  "`bpfperf stack -i` reads profiles that were saved",
			  t->path);
		return -EBADMSG;
	}
	t->has_chains = hist_script__has_chains(t->text, t->len);
	return 0;
}

int report_text__print(const struct report_text *t, const struct hist_config *cfg, struct out *out)
{
	struct hist_script script;
	const struct hist_text_config text = { .out = out,
					       .comm_of = hist_script__comm,
					       .ctx = &script };
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

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/profile_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/profile.h"
#include "profile/script_text.h"
#include "util/fs.h"
#include "util/log.h"
#include "util/stop_signals.h"

/* Returns the first character that is no white space: it shows the file's format. */
static char first_of(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!strchr(" \t\r\n", text[i]) || !text[i])
			return text[i];
	return '\0';
}

static bool has_samples(const struct profile *p, bool old)
{
	uint32_t i;

	for (i = 0; i < p->event_cnt; i++)
		if (p->events[i].old == old)
			return true;
	return false;
}

char *profile_read__whole(const char *path, const char *wanted, size_t *len)
{
	bool is_stdin = !strcmp(path, "-");
	char *text = is_stdin ? fs__read_fd(STDIN_FILENO, len) : fs__read_file(path, len);
	int err = text ? 0 : errno;

	if (text && stop_signals__pending()) {
		free(text);
		text = NULL;
		err = ECANCELED;
	}
	if (is_stdin)
		path = "stdin";
	if (err == ECANCELED)
		log_error("stopped before all of %s was read: nothing is shown", path);
	else if (err)
		log_error("cannot read %s: %s; give %s", path, strerror(err), wanted);
	errno = err;
	return text;
}

int profile_read__file(struct profile *p, const char *path, enum profile_part part)
{
	size_t len, bad_line = 0;
	char *text = profile_read__whole(path, "a profile saved by `bpfperf stack -o FILE`", &len);
	int err;

	if (!text)
		return -errno;
	/* The magic number of perf.data, in either byte order. */
	if (len >= 8 && (!memcmp(text, "PERFILE2", 8) || !memcmp(text, "2ELIFREP", 8))) {
		log_error("%s is a recording, not a profile; `bpfperf report -i %s --format F` "
			  "makes a profile of it",
			  path, path);
		free(text);
		return -EINVAL;
	}
	switch (first_of(text, len)) {
	case '{':
		err = profile_read__json(p, text, len, part, &bad_line);
		break;
	case '<':
		err = profile_read__page(p, text, len, part, &bad_line);
		break;
	default:
		err = script_text__is(text, len)
			      ? profile_read__script(p, text, len, part, &bad_line)
			      : profile_read__folded(p, text, len, part, &bad_line);
	}
	free(text);
	if (err == -ENOMEM)
		log_error("out of memory while reading %s", path);
	else if (err == -E2BIG)
		log_error("%s: profiles hold %d events at most; save fewer at once", path,
			  PROFILE_MAX_EVENTS);
	else if (err && bad_line)
		log_error("%s, line %zu: this is not a profile; give folded stacks, the text of "
			  "perf script, or a .json or .html of bpfperf",
			  path, bad_line);
	else if (err)
		log_error("%s contains no profile; give folded stacks, the text of perf script, "
			  "or a .json or .html of bpfperf",
			  path);
	if (!err && !has_samples(p, part == PROFILE_PART_AS_OLD)) {
		log_error("%s is empty; give a profile with samples", path);
		err = -EINVAL;
	}
	return err;
}

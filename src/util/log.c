// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/strbuf.h"

#define MSG_MAX 2048
#define WRITES_MAX 10

static int verbosity;
static bool has_failed, is_muted;

void log__set_verbosity(int level)
{
	verbosity = level;
}

int log__verbosity(void)
{
	return verbosity;
}

void log__mute(bool on)
{
	is_muted = on;
}

bool log__is_muted(void)
{
	return is_muted;
}

bool log__has_failed(void)
{
	return __atomic_load_n(&has_failed, __ATOMIC_RELAXED);
}

/* A signal may interrupt a write: to a terminal or a pipe, not for ever. */
static bool write_line(const char *line, size_t len)
{
	int tries;
	ssize_t n;

	for (tries = 0; len && tries < WRITES_MAX; tries++) {
		n = write(STDERR_FILENO, line, len);
		if (n < 0 && errno != EINTR)
			return false;
		line += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return !len;
}

/*
 * One write per message, so that lines of several processes do not mix. A name within it may have
 * been chosen by another user, so control characters are escaped.
 */
static void vlog(const char *prefix, const char *fmt, va_list ap)
{
	char msg[MSG_MAX], room[4 * MSG_MAX + 64];
	/* There is room for the worst: the buffer never grows. */
	struct strbuf escaped = { .buf = room, .cap = sizeof(room) };

	if (is_muted)
		return;
	vsnprintf(msg, sizeof(msg), fmt, ap);
	strbuf__puts(&escaped, "bpfperf: ");
	strbuf__puts(&escaped, prefix);
	strbuf__put_escaped(&escaped, msg, strlen(msg));
	strbuf__putc(&escaped, '\n');
	if (!write_line(escaped.buf, escaped.len))
		__atomic_store_n(&has_failed, true, __ATOMIC_RELAXED);
}

#define LOG_BODY(prefix)                                                                           \
	do {                                                                                       \
		va_list ap;                                                                        \
		va_start(ap, fmt);                                                                 \
		vlog(prefix, fmt, ap);                                                             \
		va_end(ap);                                                                        \
	} while (0)

void log_error(const char *fmt, ...)
{
	LOG_BODY("error: ");
}

void log_warn(const char *fmt, ...)
{
	LOG_BODY("warning: ");
}

void log_note(const char *fmt, ...)
{
	LOG_BODY("");
}

void log_info(const char *fmt, ...)
{
	if (verbosity > 0)
		LOG_BODY("");
}

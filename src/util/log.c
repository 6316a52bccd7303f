// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/log.h"

#include <stdarg.h>
#include <stdio.h>

static int verbosity;

void log__set_verbosity(int level)
{
	verbosity = level;
}

int log__verbosity(void)
{
	return verbosity;
}

/* One write per message, so that lines of several processes do not mix. */
static void vlog(const char *prefix, const char *fmt, va_list ap)
{
	char msg[2048];

	vsnprintf(msg, sizeof(msg), fmt, ap);
	fprintf(stderr, "bpfperf: %s%s\n", prefix, msg);
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

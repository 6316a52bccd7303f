/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Messages to the user on stderr. A failure is logged once, where its context is known, as one
 * sentence that ends with the remedy; callers further up only return the error code.
 */
#ifndef BPFPERF_UTIL_LOG_H
#define BPFPERF_UTIL_LOG_H

#include <stdbool.h>

/*
 * Levels: 0 errors and warnings, 1 (-v) the steps of the run, 2 (-vv) libbpf's debug messages, too.
 */
void log__set_verbosity(int level);
int log__verbosity(void);

/* Drops all messages while it is on: for questions that may be answered by no. */
void log__mute(bool on);
bool log__is_muted(void);

/* Was a message lost because stderr cannot be written to? */
bool log__has_failed(void);

/* "bpfperf: error: …\n"; the message has no newline and no prefix of its own. */
void log_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* "bpfperf: warning: …\n" */
void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* "bpfperf: …\n", always printed: the summary and other requested output. */
void log_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* "bpfperf: …\n" from -v on. */
void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif

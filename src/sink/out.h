/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The output of a sink: a file or stdout, written in large blocks. After a failed write the file
 * ends with the last whole record.
 */
#ifndef BPFPERF_SINK_OUT_H
#define BPFPERF_SINK_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/strbuf.h"

struct out {
	int fd;
	bool is_tty;
	bool owns_fd;
	bool is_new; /* created by open() and nothing was begun: out__close() removes the file */
	bool is_stdout; /* stdout, whatever fd it is written by */
	const char *path; /* name in messages; "stdout" for stdout */
	struct strbuf buf; /* sinks append whole records to it */
	uint64_t written; /* bytes written to fd */
	int err; /* first failure, -errno; later writes are dropped */
	bool may_block; /* a pipe, terminal or socket, which blocks if its reader stalls */
	bool never_blocks; /* a non-blocking pipe: a write takes as much as there is room for */
	bool stalled; /* the wait for the reader was abandoned: nothing is written until the end */
	bool ending; /* the last output: it waits for a stalled reader at most a second */
	bool stop_is_end; /* after a signal only the last output is written */
	uint64_t stop_ns; /* CLOCK_MONOTONIC: end of waiting for the reader; 0: no limit */
};

/*
 * Opens path; NULL or "-": stdout. A file that did not exist before is removed if it is closed
 * before out__begin(). 0 or -errno, logged.
 */
int out__open(struct out *out, const char *path);
/* Uses an open file, which out__close() closes; path: its name in messages, outlives `out`. */
void out__use(struct out *out, int fd, const char *path);
/* Only notes the name of a file that a sink opens by itself (sink_ops.opens_file). */
void out__name(struct out *out, const char *path);
/*
 * Truncates an existing file; called when everything that can fail before the first record has
 * succeeded.
 */
void out__begin(struct out *out);
/*
 * Called by sinks after each record: writes when a block is full (on a terminal, at out__flush()).
 */
int out__commit(struct out *out);
/*
 * Writes all of buf. If the reader stalls and bpfperf is to stop (stop_ns, or util/stop_signals.h),
 * the rest stays in buf; when ending, the rest is dropped, logged, and -ETIMEDOUT returned. 0 or
 * -errno (logged once; a closed pipe is silent).
 */
int out__flush(struct out *out);
/* Flushes and closes. 0 or the first error of the output. */
int out__close(struct out *out);
/* Checks that the user has not set NO_COLOR. */
bool out__may_color(void);

#endif

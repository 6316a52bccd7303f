/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Where a sink's bytes go: a file or stdout, in large blocks. A failed
 * write leaves the file ending with the last whole record.
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
	bool is_new; /* made by open(), and nothing was begun: goes again */
	bool is_stdout; /* whatever fd it is written by */
	const char *path; /* for messages; "stdout" */
	struct strbuf buf; /* sinks append whole records here */
	uint64_t written; /* bytes that reached fd */
	int err; /* first failure, -errno; later writes are dropped */
	bool may_block; /* a pipe, terminal or socket, whose reader may not read */
	bool never_blocks; /* a pipe, of which a write takes what there is room for */
	bool stalled; /* the reader was given up waiting for: nothing is written until the end */
	bool ending; /* the last output: waits for a reader that does nothing a second at most */
	bool stop_is_end; /* after a signal nothing but the last output comes */
	uint64_t stop_ns; /* CLOCK_MONOTONIC: no waiting for the reader after this; 0: no limit */
};

/*
 * path NULL or "-": stdout. A file that was not there before, and is closed before out__begin(),
 * goes again. -errno after one sentence.
 */
int out__open(struct out *out, const char *path);
/* Only the name of a file that a sink opens by itself (sink_ops.opens_file). */
void out__name(struct out *out, const char *path);
/* Empties a file that was there before: when all that can fail before the first record has not. */
void out__begin(struct out *out);
/* Called by sinks after each record: writes when a block is full (or, on a terminal, at out__flush). */
int out__commit(struct out *out);
/*
 * Writes what there is. Where the reader does not read, and bpfperf is to stop
 * (stop_ns, or util/stop_signals.h), what is left stays in buf; when ending,
 * it is dropped, said, and -ETIMEDOUT. 0 or -errno (said once; a closed pipe is silent).
 */
int out__flush(struct out *out);
/* Flushes, closes. 0 or the first error of its life. */
int out__close(struct out *out);
/* The user's NO_COLOR is not set. */
bool out__may_color(void);

#endif

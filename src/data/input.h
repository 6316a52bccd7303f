/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A file or a pipe, read once from front to back, any part of it contiguous in memory. */
#ifndef BPFPERF_DATA_INPUT_H
#define BPFPERF_DATA_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input {
	int fd; /* not owned */
	uint8_t *buf;
	size_t start, end, cap; /* bytes start..end of buf are read and not taken yet */
	uint64_t off; /* of buf[start], in the file */
	uint64_t left; /* bytes still to be read of fd; UINT64_MAX: up to its end */
	bool is_short; /* fd ended before those that were to be read */
	bool is_pipe; /* or a socket: somebody writes to it */
	bool is_stopped; /* by a signal: there may be more */
	uint64_t stop_ns; /* CLOCK_MONOTONIC: it is read no longer than until then; 0: no limit */
};

/*
 * How many signals (util/stop_signals.h) stop it: of a file the first. A terminal sends Ctrl-C to
 * the writer of a pipe as well, whose last records are still to come: it is read on, to its end.
 * SIGTERM may be for bpfperf alone: for a second at most.
 */
#define INPUT_PIPE_STOPS 2

/* Begins at the descriptor's position, which is `off`, and ends after `left` bytes. */
void input__init(struct input *in, int fd, uint64_t off, uint64_t left);
void input__free(struct input *in);
/*
 * Makes `want` bytes lie behind *data where there are as many: how many there
 * are (fewer only at the end), or -errno. Memory grows only with what is really
 * read. *data is valid until the next call. When it is stopped, what was read is its end.
 */
int64_t input__peek(struct input *in, size_t want, const uint8_t **data);
/*
 * Drops sz bytes, which need not have been peeked at: 0, -ENODATA where there are fewer, or -errno.
 */
int input__skip(struct input *in, uint64_t sz);

#endif

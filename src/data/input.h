/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A file or a pipe that is read once from front to back, with any part of it contiguous in memory.
 */
#ifndef BPFPERF_DATA_INPUT_H
#define BPFPERF_DATA_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input {
	int fd; /* not owned */
	uint8_t *buf;
	size_t start, end, cap; /* bytes start..end of buf are read and not taken yet */
	uint64_t off; /* offset of buf[start] in the file */
	uint64_t left; /* bytes still to be read from fd; UINT64_MAX: up to its end */
	bool is_short; /* fd ended before the requested number of bytes */
	bool is_pipe; /* pipe or socket: another process writes to it */
	bool is_stopped; /* stopped by a signal: the input may continue */
	uint64_t stop_ns; /* CLOCK_MONOTONIC: reading stops at this time; 0: no limit */
};

/*
 * Signals (util/stop_signals.h) stop reading: a file at the first one. A terminal sends Ctrl-C to
 * the writer of a pipe as well, and its last records are still to come: a pipe is read to its end.
 * SIGTERM may go to bpfperf alone: then a pipe is read for at most one more second.
 */
#define INPUT_PIPE_STOPS 2

/* Begins at the descriptor's position, which is `off`, and ends after `left` bytes. */
void input__init(struct input *in, int fd, uint64_t off, uint64_t left);
void input__free(struct input *in);
/*
 * Makes `want` bytes available at *data and returns their number (fewer only at the end), or
 * -errno. Memory grows only with the bytes that are read. *data is valid until the next call. If
 * reading is stopped, the bytes read so far are the whole input.
 */
int64_t input__peek(struct input *in, size_t want, const uint8_t **data);
/* Drops sz bytes, whether or not they were peeked at: 0, -ENODATA if there are fewer, or -errno. */
int input__skip(struct input *in, uint64_t sz);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Files that a JIT compiler keeps writing to: when they are worth reading again. */
#ifndef BPFPERF_SYM_GROWING_H
#define BPFPERF_SYM_GROWING_H

#include <stdbool.h>
#include <stdint.h>

struct growing {
	uint64_t read_sz; /* bytes of it already read */
	uint64_t read_again_ns; /* when it may be read again after any change: mono_ns() */
};

/*
 * True if the file has grown by an eighth since it was read, so that all readings together cost
 * nine times the file at most; or has changed, and reading it took little of the time since.
 */
bool growing__is_to_read(const struct growing *g, int fd);
/* Notes that sz bytes were read, which began at begin_ns (mono_ns()) and ends now. */
void growing__was_read(struct growing *g, uint64_t sz, uint64_t begin_ns);

#endif

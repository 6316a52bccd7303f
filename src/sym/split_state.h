/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_SYM_SPLIT_STATE_H
#define BPFPERF_SYM_SPLIT_STATE_H

#include <stdint.h>

/* Files that a program's units are read of; further ones are left out. */
#define SPLIT_FILES_MAX 4096

enum split_state {
	SPLIT_UNKNOWN, /* nothing was looked up in it yet */
	SPLIT_WANTED,
	SPLIT_HERE,
	/* It cannot be had. */
	SPLIT_ABSENT, /* there is no such file */
	SPLIT_OTHERS, /* it belongs to somebody other than the program */
	SPLIT_OTHER_BUILD, /* it has another id */
	SPLIT_DAMAGED,
	SPLIT_TOO_LARGE,
	SPLIT_NO_MEMORY, /* for reading it */
	SPLIT_TOO_MANY,
	SPLIT_STATE_CNT,
};

/* A wish, and the end that it came to. */
struct split_given {
	uint64_t id; /* of a unit */
	uint32_t is_package; /* it was the package of all units; there is no id */
	uint32_t state; /* enum split_state; SPLIT_HERE: it is the next file of the request */
};

#endif

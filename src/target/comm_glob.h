/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A shell glob as tables, for a loop over the characters of a thread's name that a BPF verifier
 * accepts: a set of states, one bit each, is shifted by the positions that accept a character
 * (bpf/filter.bpf.h has the same loop).
 */
#ifndef BPFPERF_TARGET_COMM_GLOB_H
#define BPFPERF_TARGET_COMM_GLOB_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Maximum number of positions. Names have at most 15 characters, but a glob may have more
 * positions.
 */
#define COMM_GLOB_MAX 31

struct comm_glob {
	uint32_t accept[256]; /* by character: the positions that accept it, as bits */
	uint32_t star; /* positions after a * */
	uint32_t end; /* the state after the last position */
};

/*
 * Compiles a glob of * ? [a-z] [!a-z] \x, as fnmatch(3) without flags. Returns 0, or -EINVAL: more
 * than COMM_GLOB_MAX positions.
 */
int comm_glob__compile(struct comm_glob *glob, const char *text);
bool comm_glob__matches(const struct comm_glob *glob, const char *comm);

#endif

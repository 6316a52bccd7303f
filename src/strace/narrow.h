/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The structures of 32-bit programs: which have the layout of 64-bit ones, and how the others are
 * widened, so that one function prints both.
 */
#ifndef BPFPERF_STRACE_NARROW_H
#define BPFPERF_STRACE_NARROW_H

#include <stddef.h>
#include <stdint.h>

struct arg_type;
struct call_desc;

enum narrow {
	NARROW_UNKNOWN, /* the layout is not known: the address is printed */
	NARROW_SAME,
	NARROW_SIGNED, /* members of 32 bits in place of 64 */
	NARROW_UNSIGNED,
	NARROW_STAT64,
	NARROW_POINTERS, /* pointers and sizes: the function that fetches, and prints, knows it */
};

/* Words of the largest structure that is widened. */
#define NARROW_WORDS 18

/* Returns the layout of an argument of the 32-bit call of this name. */
enum narrow narrow__of(const struct arg_type *type, const char *call);
/* Returns the bytes of a structure that has sz bytes in 64-bit programs. */
size_t narrow__sz(enum narrow n, size_t sz);
/* Widens a structure of from_sz bytes. Returns its bytes, at most 8 * NARROW_WORDS. */
size_t narrow__widen(enum narrow n, uint64_t *to, const void *from, size_t from_sz);
/* Finds the description of a 32-bit call: that of the 64-bit one with its arguments; or NULL. */
const struct call_desc *narrow__desc(const char *call);

#endif

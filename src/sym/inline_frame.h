/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_SYM_INLINE_FRAME_H
#define BPFPERF_SYM_INLINE_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/* One of the functions at an address. */
struct inline_frame {
	/* Texts live as long as the struct that found them. */
	const char *name; /* the linker's name, or the plain name; NULL: none */
	const char *file; /* path; NULL: unknown */
	uint32_t line; /* 0: unknown */
	/*
	 * The name that binutils' addr2line prints, which perf uses: the linker's name, else the
	 * plain one without its scopes; also set for the outer function. NULL: none.
	 */
	const char *plain;
	/* The printed forms of name and plain; NULL: they are printed as they are. */
	const char *printed, *plain_printed;
	/*
	 * addr2line prints the symbol's name instead: for an innermost function without a linker's
	 * name at its first lookup, and later if the symbol begins with the plain name.
	 */
	bool is_symbols;
};

/* The entries of DWARF at an address, which have state (is_symbols). */
struct inline_entries {
	uint64_t innermost, own; /* identify the innermost function, and the function itself */
	uint64_t own_start; /* address of the function itself */
	bool is_linkers; /* the innermost function has a linker's name */
	bool is_waiting; /* a file of split DWARF has them, which has to be asked for */
};

/* Depth of inlining that is looked at: compilers stay far below. */
#define INLINE_FRAMES_MAX 66

#endif

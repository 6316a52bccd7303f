/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The functions that a compiler inlined, from a file's DWARF, through libdw. A function is read
 * once, when the first address in it is looked up; later lookups search a small array.
 */
#ifndef BPFPERF_SYM_INLINES_H
#define BPFPERF_SYM_INLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct inlines;

/* One of the functions at an address. */
struct inline_frame {
	/* Texts live as long as the struct inlines. */
	const char *name; /* the linker's name, or the plain name; NULL: none */
	const char *file; /* path; NULL: unknown */
	uint32_t line; /* 0: unknown */
	/*
	 * The name that binutils' addr2line prints, which perf uses: the linker's name, else the
	 * plain one without its scopes; also set for the outer function. NULL: none.
	 */
	const char *plain;
	/*
	 * addr2line prints the symbol's name instead: for an innermost function without a linker's
	 * name at its first lookup, and later if the symbol begins with the plain name.
	 */
	bool is_symbols;
};

/*
 * DWARF is read into memory up to this size. A larger file is mapped, if only root can truncate it
 * during the read; else it is not used.
 */
#define INLINES_READ_MAX (24u << 20)

/*
 * Opens the DWARF of an ELF file and finds its compilation units; fd may be closed afterwards.
 * lines: frames will have source positions. NULL if it has none, or it cannot be read.
 */
struct inlines *inlines__open(int fd, bool lines);
void inlines__close(struct inlines *in);
/* Bytes read into memory; NULL: 0. */
size_t inlines__mem_sz(const struct inlines *in);
/*
 * Finds the inlined functions at vaddr, innermost first, then the function that contains them (its
 * name is NULL and comes from the symbol table, whose symbol begins at sym_start). At most max
 * frames. 0: unknown. INLINES_AHEAD: reads, without a lookup.
 */
#define INLINES_AHEAD UINT64_MAX
size_t inlines__find(struct inlines *in, uint64_t vaddr, uint64_t sym_start,
		     struct inline_frame *frames, size_t max);

#endif

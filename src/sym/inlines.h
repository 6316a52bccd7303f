/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The functions that a compiler inlined, from a file's DWARF, through libdw. A function is read
 * once, when the first address in it is asked for; after that an address is a look into a small
 * array.
 */
#ifndef BPFPERF_SYM_INLINES_H
#define BPFPERF_SYM_INLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct inlines;

/* One of the functions an address is in. */
struct inline_frame {
	/* Texts live as long as the struct inlines. */
	const char *name; /* as the linker knows it, or its plain name; NULL: none */
	const char *file; /* path; NULL: unknown */
	uint32_t line; /* 0: unknown */
	/*
	 * The name that binutils' addr2line prints, which perf asks: the linker's name, else the
	 * plain one without its scopes; the outer function has one, too. NULL: there is none.
	 */
	const char *plain;
	/*
	 * addr2line says the symbol's name in its place: of an innermost function without a
	 * linker's name the first time that it is asked for an address in it, and from then on
	 * where the symbol begins with it.
	 */
	bool is_symbols;
};

/*
 * DWARF is read into memory up to this size. A larger file is mapped, which is only done where
 * only root can truncate it during the read; else it is left alone.
 */
#define INLINES_READ_MAX (24u << 20)

/*
 * Opens the DWARF of an ELF file and finds its compilation units; fd may be closed after.
 * NULL where it has none, or it cannot be read.
 */
struct inlines *inlines__open(int fd);
void inlines__close(struct inlines *in);
/* Bytes that were read into memory; NULL: 0. */
size_t inlines__mem_sz(const struct inlines *in);
/*
 * The functions at vaddr that were inlined, innermost first, then the function that holds them (its
 * name is left to the symbol table, whose symbol begins at sym_start: NULL). At most max frames;
 * with `lines` their source positions too. 0: nothing known. INLINES_AHEAD: read, not asked.
 */
#define INLINES_AHEAD UINT64_MAX
size_t inlines__find(struct inlines *in, uint64_t vaddr, uint64_t sym_start, bool lines,
		     struct inline_frame *frames, size_t max);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The functions that a compiler inlined, from a file's DWARF, or the tables of a Go program without
 * it, which a reader reads (sym/dwarf_inlines.h, sym/go_inlines.h). Answers are kept: an address is
 * asked for once.
 */
#ifndef BPFPERF_SYM_INLINES_H
#define BPFPERF_SYM_INLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/reader.h"
#include "sym/inline_frame.h"

struct inlines;

/* A file with DWARF. */
struct inlines_file {
	/* The program, for reports, and as split_program: both must live as long. NULL: unknown. */
	const char *path;
	int root_fd;
	/* These may be closed afterwards. */
	int fd; /* of the program or its debug file */
	int alt_fd; /* of the file that .gnu_debugaltlink names; -1: none */
};

/*
 * Opens the DWARF of an ELF file in a reader, which serves all calls for it. Split DWARF is opened
 * when an address of it is asked for. lines: frames will have source positions. NULL if it has
 * none, or it cannot be read.
 */
struct inlines *inlines__open(enum reader_purpose purpose, const struct inlines_file *file,
			      bool lines);
void inlines__close(struct inlines *in);
/* Bytes that the reader has in memory, which grow with what is asked for; NULL: 0. */
size_t inlines__mem_sz(const struct inlines *in);
/*
 * Which files of split DWARF could not be read, as the end of a sentence; owned by `in`. NULL:
 * none, or `in` is NULL.
 */
const char *inlines__missing(const struct inlines *in);
/* Asks for addresses now: one request for many is faster. */
void inlines__read(struct inlines *in, const uint64_t *vaddrs, size_t cnt);
/* Announces an address that will be looked up: the first lookup asks for all of these at once. */
void inlines__want(struct inlines *in, uint64_t vaddr);
/*
 * Finds the inlined functions at vaddr, innermost first, then the function that contains them (its
 * name is NULL and comes from the symbol table, whose symbol begins at sym_start). At most max
 * frames. 0: unknown.
 */
size_t inlines__find(struct inlines *in, uint64_t vaddr, uint64_t sym_start,
		     struct inline_frame *frames, size_t max);
/*
 * Returns whether the reader has gone that had the DWARF, so that it has to be opened again; false
 * if this DWARF has ended its reader.
 */
bool inlines__is_gone(const struct inlines *in);

#endif

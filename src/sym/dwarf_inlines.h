/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The functions that a compiler inlined, from a file's DWARF, through libdw: in readers. A function
 * is read once, when the first address in it is looked up; later lookups search a small array.
 */
#ifndef BPFPERF_SYM_DWARF_INLINES_H
#define BPFPERF_SYM_DWARF_INLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/inline_frame.h"
#include "sym/split_units.h"

struct dwarf_inlines;

/*
 * DWARF is read into memory up to this size. A larger file is mapped, if only root can truncate it
 * during the read; else it is not used.
 */
#define INLINES_READ_MAX (24u << 20)

/*
 * Opens the DWARF of an ELF file and finds its compilation units; fd may be closed afterwards, as
 * may alt_fd, the file with DWARF that it shares with others (-1: none). lines: frames will have
 * source positions. NULL if it has none, or it cannot be read.
 */
struct dwarf_inlines *dwarf_inlines__open(int fd, int alt_fd, bool lines);
void dwarf_inlines__close(struct dwarf_inlines *in);
/* Bytes read into memory; NULL: 0. */
size_t dwarf_inlines__mem_sz(const struct dwarf_inlines *in);
/*
 * Finds the inlined functions at vaddr, innermost first, then the function that contains them. At
 * most max frames. 0: unknown; or, if entries->is_waiting is set, not before the files are here
 * that the split units want. Where a unit's file cannot be had, its lines are found all the same.
 * Texts live as long as `in`, and equal ones have one address; is_symbols stays false, printed
 * forms are not set.
 */
size_t dwarf_inlines__find(struct dwarf_inlines *in, uint64_t vaddr, struct inline_frame *frames,
			   size_t max, struct inline_entries *entries);

/* The units with split DWARF, as far as an address in one was asked for; they belong to `in`. */
struct split_units *dwarf_inlines__split(struct dwarf_inlines *in);

#endif

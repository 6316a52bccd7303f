/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Source lines as places. Runs in readers. */
#ifndef BPFPERF_PROBE_PLACE_LINES_H
#define BPFPERF_PROBE_PLACE_LINES_H

#include <stdint.h>

#include "sym/dwarf_file.h"

/*
 * Calls fn for the address at which each piece of code of a line begins; source: the end of a
 * file's path, at a '/'. fn ends the search by another value than 0, which is returned.
 */
int place_lines__each(const struct dwarf_file *file, const char *source, uint32_t line,
		      int (*fn)(void *ctx, uint64_t vaddr), void *ctx);
/*
 * The address behind a function's first instructions, as dwarf_entry_breakpoints() finds it: of a
 * function that has its lines in another unit. 0: it is not known.
 */
uint64_t place_lines__behind_prologue(Dwarf_Die *func, Dwarf_Die *unit_with_lines);

#endif

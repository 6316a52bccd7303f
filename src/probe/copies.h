/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Inlined copies of a function, from DWARF. Runs in readers. */
#ifndef BPFPERF_PROBE_COPIES_H
#define BPFPERF_PROBE_COPIES_H

#include <stddef.h>
#include <stdint.h>

#include "probe/copies_units.h"
#include "probe/pattern.h"
#include "sym/dwarf_file.h"

/* An inlined copy: its entry, and the function that has its code. */
struct inlined_copy {
	uint64_t pc;
	Dwarf_Die die, func;
};

/* The part of a pattern that DWARF has as the function's name. */
const char *copies__name(const struct func_pattern *pattern);
/*
 * Calls fn for each inlined copy of a function of this name, which is no glob. It ends the search
 * by another value than 0. Returns that value, or 0, or -ENOMEM.
 */
int copies__each(const struct dwarf_file *file, const struct copies_units *units,
		 const struct func_pattern *pattern,
		 int (*fn)(void *ctx, const struct inlined_copy *copy), void *ctx);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The units of a DWARF file, which are kept for the searches of one command line: each search asks
 * which of them can know a name, without looking at their entries. Runs in readers.
 */
#ifndef BPFPERF_PROBE_COPIES_UNITS_H
#define BPFPERF_PROBE_COPIES_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/dwarf_file.h"

struct copies_unit {
	Dwarf_Die die;
	const uint8_t *at; /* its entries, as bytes */
	size_t sz; /* 0: not known */
	uint8_t offset_sz; /* of an offset into .debug_str: 4, or 8 */
	bool has_indexed_names; /* by numbers that are too short to be looked for */
	bool is_across_units; /* its copies may refer to other units: link-time optimization */
};

struct copies_units {
	struct copies_unit *at;
	size_t cnt, cap;
	const char *strings; /* .debug_str; NULL: there is none */
	size_t strings_sz;
};

/* Reads the units; texts of the file must be alive as long as they are. 0 or -ENOMEM. */
int copies_units__read(struct copies_units *units, const struct dwarf_file *file);
void copies_units__free(struct copies_units *units);

/* The places in .debug_str at which one name can be read. */
struct copies_name {
	const char *name;
	/* A text may be the end of several longer ones, which linkers let share their bytes. */
	uint32_t offs[64];
	size_t cnt;
	bool has_strings; /* the file has a .debug_str */
};

void copies_name__find(struct copies_name *name, const struct copies_units *units,
		       const char *text);
/* Can an entry of the unit have the name? */
bool copies_name__may_be_in(const struct copies_name *name, const struct copies_unit *unit);

#endif

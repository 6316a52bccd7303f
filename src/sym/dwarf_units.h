/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Address → compilation unit → function, as offsets into .debug_info. */
#ifndef BPFPERF_SYM_DWARF_UNITS_H
#define BPFPERF_SYM_DWARF_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "sym/dwarf_file.h"
#include "util/strbuf.h"
#include "util/texts.h"

struct dwarf_range {
	uint64_t start, end;
	uint64_t ref; /* of a unit: its index; of a function: the offset of its DIE */
};

struct dwarf_ranges {
	struct dwarf_range *ranges; /* sorted by start once complete */
	size_t cnt, cap;
};

struct dwarf_unit {
	uint64_t head_off; /* of its header in .debug_info */
	uint64_t die_off; /* 0: not yet known (units of .debug_aranges) */
	bool is_bad; /* its entries cannot be used */
	bool read; /* its functions were read */
	bool read_nested; /* and those that are in others */
	struct dwarf_ranges functions;
};

struct dwarf_units {
	struct dwarf_unit *units;
	size_t cnt, cap;
	struct dwarf_ranges ranges;
	bool is_partial; /* these are the units of .debug_aranges, which may not be all */
	/* DIE of a function without a linker's name → index of "app::" in names */
	struct u64map scopes;
	/* Entries that may still be visited: damaged DWARF can contain cycles. */
	uint64_t work_left;
	size_t functions_sz; /* bytes of the functions of all units */
};

/*
 * Finds all units and their addresses, without .debug_aranges, which some compilers do not write.
 * Only where .debug_info is inflated step by step, it is asked first: an address that is not in it
 * has all units found later.
 * 0; -ENOENT if no unit has code; -ENOMEM. It must be freed after errors, too.
 */
int dwarf_units__read(struct dwarf_units *units, struct dwarf_file *file);
/*
 * Takes a split unit, of which the skeleton has the addresses (sym/dwarf_split.h), as the only one.
 * 0 or -ENOMEM. It must be freed after errors, too.
 */
int dwarf_units__read_split(struct dwarf_units *units, Dwarf_Die *cu, Dwarf_Die *skeleton);
void dwarf_units__free(struct dwarf_units *units);
size_t dwarf_units__mem_sz(const struct dwarf_units *units);
/*
 * Finds the unit and the function (offset of its DIE) at vaddr. Reads the unit's functions the
 * first time; scopes of its local functions are stored in names. false: none.
 */
bool dwarf_units__find(struct dwarf_units *units, struct dwarf_file *file, struct texts *names,
		       uint64_t vaddr, Dwarf_Die *cu, uint64_t *die_off);
/* Finds the unit at vaddr; a skeleton, too, which has no functions. false: none. */
bool dwarf_units__find_unit(struct dwarf_units *units, struct dwarf_file *file, uint64_t vaddr,
			    Dwarf_Die *cu);
/* Is it the tag of a namespace, or of a type in which functions are defined? */
bool dwarf_units__is_scope(int tag);
/* Counts one more entry; false when the limit is exceeded. */
bool dwarf_units__may_go_on(struct dwarf_units *units);

#endif

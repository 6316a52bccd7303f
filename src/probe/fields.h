/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The fields of one place, from the arguments that are asked for. Runs in readers. */
#ifndef BPFPERF_PROBE_FIELDS_H
#define BPFPERF_PROBE_FIELDS_H

#include "probe/arg.h"
#include "probe/loc.h"
#include "probe/place.h"
#include "sym/split_units.h"

/* A function, or an inlined copy of one, as DWARF describes it. */
struct fields_scope {
	struct scope scope; /* scope.pc may be moved behind the function's first instructions */
	const struct elf_file *elf; /* has the code */
	bool has_dwarf;
	const struct split_unit *missing; /* has_dwarf is not set: the unit that would tell */
	Dwarf_Die die; /* has the parameters: the function, or the inlined copy */
	Dwarf_Die unit; /* has the lines */
	const struct dwarf_file *dwarf; /* of the DIE */
	bool is_split; /* the DIE's own unit has no lines */
	bool has_lines_files; /* its source files are numbered as those of `unit` */
	bool is_inlined, is_go;
	const char *usdt_args; /* of a USDT probe: its note's text; NULL: it is a function */
	bool is_pair; /* the place must be the first instruction: the return is probed, too */
};

/*
 * Adds the fields. args: NULL for all parameters. Where parameters are in memory that the first
 * instructions fill, fs->scope.pc is moved behind these, unless it is a pair. 0; -ENOMEM; -EINVAL:
 * *fault says why an argument cannot be had.
 */
int fields__add(struct fields_scope *fs, const struct arg_list *args, struct place *place,
		struct arg_fault *fault);

#endif

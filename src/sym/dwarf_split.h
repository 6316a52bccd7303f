/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A split unit as DWARF of its own. Runs in readers.
 *
 * libdw joins a split unit with its skeleton, the unit in the program that has its addresses, if it
 * opens the .dwo file itself, which no reader can; of a package (.dwp) it knows nothing before
 * 0.191. So each unit gets an ELF file of its own, which is nowhere but in memory: the unit's parts
 * of the file's sections, and of the program those to which the unit refers.
 */
#ifndef BPFPERF_SYM_DWARF_SPLIT_H
#define BPFPERF_SYM_DWARF_SPLIT_H

#include "sym/dwarf_file.h"
#include "sym/dwo_file.h"
#include "util/strbuf.h"

struct dwarf_split {
	struct dwarf_file file; /* has no unit but this one, and its types */
	Dwarf_Die cu;
	struct dwo_parts parts;
	int lang; /* of the unit's source: DW_LANG_*, or -1 */
	bool has_files; /* it numbers source files by a table of its own, not by the skeleton's */
	bool has_addr_head; /* a header stands in front of the part with addresses */
	struct strbuf abbrevs, addrs; /* parts that were changed */
};

/*
 * Makes the unit of this id, from its parts, which must outlive it and may be changed; main: the
 * program's DWARF with the skeleton. -EBADMSG: it is damaged; -ENOENT: the parts are of another
 * unit; -ENOMEM. Must be closed, too, after errors.
 */
int dwarf_split__open(struct dwarf_split *split, const struct dwarf_file *main, Dwarf_Die *skeleton,
		      uint64_t id, const struct dwo_parts *parts);
/* May an entry of the unit have this name? Quicker than a look at all entries. */
bool dwarf_split__may_name(const struct dwarf_split *split, const char *name);
/* Bytes in memory, beside those of the parts. */
size_t dwarf_split__mem_sz(const struct dwarf_split *split);
void dwarf_split__close(struct dwarf_split *split);

#endif

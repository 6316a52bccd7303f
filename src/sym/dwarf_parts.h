/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Parts of a file of split DWARF as DWARF of their own, for libdw: an ELF file that is nowhere but
 * in memory. Runs in readers.
 */
#ifndef BPFPERF_SYM_DWARF_PARTS_H
#define BPFPERF_SYM_DWARF_PARTS_H

#include "sym/dwarf_file.h"
#include "sym/dwo_file.h"

/*
 * Opens the parts as they are now; a file that was opened so before is closed. They must outlive
 * it. 0; -ENOMEM; -EBADMSG: they are damaged. Close it by dwarf_file__close().
 */
int dwarf_parts__open(struct dwarf_file *file, const struct dwo_parts *parts);
/*
 * Opens the unit of one type, and finds the type in it. 0; -ENOENT: it is another one's; or an
 * error of dwarf_parts__open(). Must be closed, too, after errors.
 */
int dwarf_parts__open_type(struct dwarf_file *file, const struct dwo_parts *parts,
			   uint64_t signature, Dwarf_Die *type);

#endif

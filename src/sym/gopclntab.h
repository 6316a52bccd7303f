/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Names of Go functions from .gopclntab, the table that Go's own run time prints stacks from:
 * stripped programs still have it.
 */
#ifndef BPFPERF_SYM_GOPCLNTAB_H
#define BPFPERF_SYM_GOPCLNTAB_H

#include "sym/elf_syms.h"

/*
 * Adds the functions of the table of a file without .symtab, in the layouts of Go 1.2, 1.16, 1.18
 * and 1.20 (Go's debug/gosym). The names are later read as NAMES_SYMTAB. 0 (also if there is no
 * table, or a damaged one) or -ENOMEM.
 */
int gopclntab__add(struct elf_syms *syms, const struct elf_file *file);

#endif

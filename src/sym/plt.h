/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Names for the procedure linkage table, the stubs through which a file calls functions of other
 * files. Symbol tables do not contain them: a stub is identified by the slot that it jumps through,
 * and the slot by its relocation.
 */
#ifndef BPFPERF_SYM_PLT_H
#define BPFPERF_SYM_PLT_H

#include "sym/elf_syms.h"

/*
 * Adds the stubs of .plt, .plt.sec and .plt.got for x86-64 and arm64 (none on others), named after
 * the .dynsym of `file`. 0 or -ENOMEM.
 */
int plt__add(struct elf_syms *syms, const struct elf_file *file);

#endif

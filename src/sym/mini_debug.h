/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * MiniDebugInfo: a stripped file contains, compressed in .gnu_debugdata, a second ELF file with the
 * names of its local functions (Fedora and others ship all their programs with it).
 */
#ifndef BPFPERF_SYM_MINI_DEBUG_H
#define BPFPERF_SYM_MINI_DEBUG_H

#include "sym/elf_syms.h"

/* Maximum unpacked size; real symbol tables are smaller (libpython's has 1 MB). */
#define MINI_DEBUG_MAX_SZ (32u << 20)

/* Adds its functions with names in memory. 0, also if there is none or it is damaged; -ENOMEM. */
int mini_debug__add(struct elf_syms *syms, const struct elf_file *file);

#endif

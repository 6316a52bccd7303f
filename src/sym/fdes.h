/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Functions without names: the address ranges that a file's call frame information describes, one
 * FDE (frame description entry) for each function. Stripped files still have it.
 */
#ifndef BPFPERF_SYM_FDES_H
#define BPFPERF_SYM_FDES_H

#include "sym/elf_file.h"
#include "sym/symtab.h"

/* Larger sections are damaged or hostile: a browser's has 20 MiB. */
#define FDES_MAX_SZ (64u << 20)
/* 16 bytes each. */
#define FDES_MAX (2u << 20)

/*
 * Adds the functions of .eh_frame, by the file's own virtual addresses, and finishes the table;
 * from a file without section headers the starts that .eh_frame_hdr lists. Both classes and byte
 * orders; entries that are damaged or encoded relative to run-time data are skipped. 0 (also if
 * there are none) or -ENOMEM.
 */
int fdes__read(struct symtab *tab, const struct elf_file *file);

#endif

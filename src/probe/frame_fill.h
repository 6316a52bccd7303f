/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The place behind the instructions by which a function puts its parameters into its frame. The
 * instructions tell it: lines end elsewhere in optimized code, and where nested functions share the
 * frame. Runs in readers.
 */
#ifndef BPFPERF_PROBE_FRAME_FILL_H
#define BPFPERF_PROBE_FRAME_FILL_H

#include "probe/loc.h"
#include "sym/elf_file.h"

/* Can instructions of this machine be read? */
bool frame_fill__can(const struct elf_file *elf);
/*
 * Finds where all parameters of `func` that lie in its frame have been written, from the entry
 * sc->pc on. 0: there is no such place before the first branch.
 */
uint64_t frame_fill__end(const struct elf_file *elf, const struct scope *sc, Dwarf_Die *func);

#endif

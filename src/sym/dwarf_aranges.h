/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Reads .debug_aranges (DWARF 5, 6.1.2): which unit has which addresses, without .debug_info.
 * libdw's own reader of it looks each unit up in .debug_info.
 */
#ifndef BPFPERF_SYM_DWARF_ARANGES_H
#define BPFPERF_SYM_DWARF_ARANGES_H

#include <stdint.h>

#include <libelf.h>

/* The unit with its header at `unit_off` of .debug_info has the addresses [start, end). */
typedef int (*dwarf_arange_fn)(void *priv, uint64_t unit_off, uint64_t start, uint64_t end);

/*
 * Passes each range that does not begin at 0, in the order of the file, which libdw has opened. 0;
 * -ENOENT: there is no such section, or it is damaged; or the value that fn returned if it was not
 * 0.
 */
int dwarf_aranges__each(Elf *elf, dwarf_arange_fn fn, void *priv);

#endif

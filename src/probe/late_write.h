/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Places that get their values too late. Compilers move the instructions that compute an argument
 * behind the first one of an inlined copy, and say of the argument that it is there from that first
 * one on. Runs in readers.
 */
#ifndef BPFPERF_PROBE_LATE_WRITE_H
#define BPFPERF_PROBE_LATE_WRITE_H

#include "probe/loc.h"
#include "sym/elf_file.h"

/*
 * Is the place of a variable of `size` bytes written before the next branch, while DWARF says that
 * the variable is there? false also where instructions of this machine are not known.
 */
bool late_write__found(const struct elf_file *elf, const struct scope *sc, Dwarf_Die *var,
		       const struct loc *loc, uint64_t size);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A compressed section that is inflated only as far as it is needed: .debug_info of the C library
 * takes more time than all else that a short profile does; lines and locations are half of what a
 * probe would have inflated.
 */
#ifndef BPFPERF_SYM_DWARF_INFO_H
#define BPFPERF_SYM_DWARF_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libelf.h>
#include <zlib.h>

struct dwarf_info {
	uint8_t *data; /* sz bytes and a NUL; zero behind done. NULL: libdw reads the section */
	size_t sz, done; /* in bytes */
	z_stream z;
};

/*
 * Has libdw see the bytes of `data` as those of the section of this name, if it is the only one
 * and zlib compressed it; else nothing is changed. The Elf has to be open, and not yet be libdw's;
 * it must outlive the dwarf_info.
 */
void dwarf_info__replace(struct dwarf_info *info, Elf *elf, const char *name);
/* Inflates at least the first `sz` bytes, or all there are. 0, or -EBADMSG: they are damaged. */
int dwarf_info__inflate(struct dwarf_info *info, uint64_t sz);
/* To be called after libdw has closed the file. */
void dwarf_info__close(struct dwarf_info *info);

#endif

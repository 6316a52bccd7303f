/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The registers of an architecture that tables are about, by their DWARF numbers. */
#ifndef BPFPERF_UNWIND_ARCH_H
#define BPFPERF_UNWIND_ARCH_H

#include <stdint.h>

struct unwind_arch {
	uint16_t machine; /* EM_… */
	uint8_t sp, fp, base, ra;
	int8_t ra_default; /* enum unwind_loc of a return address of which nothing is said */
};

/* The architecture of an ELF file of 64-bit, or NULL: x86-64 and arm64 are known. */
const struct unwind_arch *unwind_arch__of(uint16_t machine);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Registers that unwind tables describe, by their DWARF numbers, for each architecture. */
#ifndef BPFPERF_UNWIND_ARCH_H
#define BPFPERF_UNWIND_ARCH_H

#include <stdint.h>

struct unwind_arch {
	uint16_t machine; /* EM_… */
	uint8_t sp, fp, base, ra;
	int8_t ra_default; /* enum unwind_loc of a return address without a rule */
};

/* The architecture of a 64-bit ELF file, or NULL: x86-64 and arm64 are known. */
const struct unwind_arch *unwind_arch__of(uint16_t machine);

#endif

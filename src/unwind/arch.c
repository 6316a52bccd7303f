// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "unwind/arch.h"

#include <stddef.h>

#include <elf.h>
#include <linux/types.h>

#include "bpf/unwind_wire.h"

/* System V ABI, AMD64, figure 3.36; DWARF for the Arm 64-bit Architecture, 4.1. */
static const struct unwind_arch arches[] = {
	{ EM_X86_64, .sp = 7, .fp = 6, .base = 3, .ra = 16, .ra_default = UNWIND_LOC_UNKNOWN },
	{ EM_AARCH64, .sp = 31, .fp = 29, .base = 19, .ra = 30, .ra_default = UNWIND_LOC_SAME },
};

const struct unwind_arch *unwind_arch__of(uint16_t machine)
{
	size_t i;

	for (i = 0; i < sizeof(arches) / sizeof(*arches); i++)
		if (arches[i].machine == machine)
			return &arches[i];
	return NULL;
}

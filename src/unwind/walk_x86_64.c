// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <stdbool.h>

#include "unwind/walk.h"

#define UNWIND_ARM64 0
#define REG_PC UNWIND_X86_64_PC
#define REG_SP 7
#define REG_FP 6
#define REG_BASE 3

#include "unwind/walk_body.h"

size_t unwind_walk__x86_64(const struct unwind_walk *w, uint64_t *pcs, size_t max)
{
	return walk(w, pcs, max);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <stdbool.h>

#include "unwind/walk.h"

#define UNWIND_ARM64 1
#define REG_PC UNWIND_ARM64_PC
#define REG_SP 31
#define REG_FP 29
#define REG_BASE 19

#include "unwind/walk_body.h"

size_t unwind_walk__arm64(const struct unwind_walk *w, uint64_t *pcs, size_t max)
{
	return walk(w, pcs, max);
}

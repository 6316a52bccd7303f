// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The walk of walk_body.h by the rules of arm64. */
#define UNWIND_ARM64 1
#include "unwind/walk_body.h"

size_t unwind_walk__arm64(const struct unwind_walk *w, uint64_t *pcs, size_t max)
{
	return walk(w, pcs, max);
}

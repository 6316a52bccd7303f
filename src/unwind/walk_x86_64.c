// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The walk of walk_body.h by the rules of x86-64. */
#define UNWIND_ARM64 0
#include "unwind/walk_body.h"

size_t unwind_walk__x86_64(const struct unwind_walk *w, uint64_t *pcs, size_t max)
{
	return walk(w, pcs, max);
}

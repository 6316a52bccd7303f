/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_UTIL_ARRAY_H
#define BPFPERF_UTIL_ARRAY_H

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

/*
 * Makes room for `need` elements of elem_sz bytes in *arr, which has room for *cap. Starts at 16
 * and grows by half, so that n pushes cost O(n); new elements are not zeroed. 0 or -ENOMEM with
 * *arr unchanged.
 */
static inline int array__reserve(void **arr, size_t *cap, size_t need, size_t elem_sz)
{
	size_t new_cap = *cap ? *cap : 16;
	void *bigger;

	if (need <= *cap)
		return 0;
	while (new_cap < need)
		new_cap += new_cap / 2 + 1;
	bigger = reallocarray(*arr, new_cap, elem_sz);
	if (!bigger)
		return -ENOMEM;
	*arr = bigger;
	*cap = new_cap;
	return 0;
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Sorts the rows of a table. */
#ifndef BPFPERF_UNWIND_ROW_SORT_H
#define BPFPERF_UNWIND_ROW_SORT_H

#include <stddef.h>

#include <linux/types.h>

/*
 * Sorts ascending, by digits of 11 bits: 0.3 ms for the 50,000 rows of a C library, where qsort()
 * takes 4. Without memory for a second array it is qsort().
 */
void row_sort(__u64 *rows, size_t cnt);

#endif

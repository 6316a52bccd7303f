// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "unwind/row_sort.h"

#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

static int compare(const void *a, const void *b)
{
	const __u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Moves the rows to `to`, in the order of one digit; rows where it is equal keep their order. */
static void sort_by_digit(const __u64 *rows, size_t cnt, unsigned int shift, __u64 *to)
{
	size_t at[DIGITS] = { 0 }, sum = 0, i;

	for (i = 0; i < cnt; i++)
		at[rows[i] >> shift & (DIGITS - 1)]++;
	for (i = 0; i < DIGITS; i++) {
		size_t here = at[i];

		at[i] = sum;
		sum += here;
	}
	for (i = 0; i < cnt; i++)
		to[at[rows[i] >> shift & (DIGITS - 1)]++] = rows[i];
}

void row_sort(__u64 *rows, size_t cnt)
{
	__u64 *spare = malloc(cnt * sizeof(*rows) + 1), *from = rows, *to = spare, all = 0;
	unsigned int shift;
	size_t i;

	if (!spare) {
		qsort(rows, cnt, sizeof(*rows), compare);
		return;
	}
	for (i = 0; i < cnt; i++)
		all |= rows[i];
	for (shift = 0; shift < 64 && all >> shift; shift += DIGIT_BITS) {
		__u64 *sorted = to;

		sort_by_digit(from, cnt, shift, to);
		to = from;
		from = sorted;
	}
	if (from != rows)
		memcpy(rows, from, cnt * sizeof(*rows));
	free(spare);
}

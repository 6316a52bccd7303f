// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Rows are sorted as qsort() sorts them. */
#include <stdlib.h>

#include "rnd.h"
#include "tap.h"
#include "unwind/row_sort.h"

#define ROWS_MAX 5003

static int compare(const void *a, const void *b)
{
	const __u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Rows of few values have many that are equal; the others use all digits. */
static bool is_sorted_right(size_t cnt, unsigned int bits)
{
	static __u64 rows[ROWS_MAX], want[ROWS_MAX];
	size_t i;

	for (i = 0; i < cnt; i++)
		want[i] = rows[i] = bits ? rnd64() >> (64 - bits) : 0;
	qsort(want, cnt, sizeof(*want), compare);
	row_sort(rows, cnt);
	return !memcmp(rows, want, cnt * sizeof(*rows));
}

int main(void)
{
	static const unsigned int bits[] = { 0, 1, 10, 11, 12, 22, 23, 44, 63, 64 };
	static const size_t cnts[] = { 0, 1, 2, 3, 101, ROWS_MAX };
	size_t i, j;

	for (i = 0; i < sizeof(bits) / sizeof(*bits); i++)
		for (j = 0; j < sizeof(cnts) / sizeof(*cnts); j++)
			ok(is_sorted_right(cnts[j], bits[i]), "%zu rows of %u bits are in order",
			   cnts[j], bits[i]);
	return done_testing();
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Calls with pointers that lead nowhere among good ones, and pairs of calls. */
#include <stdint.h>
#include <stdlib.h>

#define KEEP(x) __asm__ volatile("" : : "r"(x) : "memory")

__attribute__((noinline)) void take(int *p, int k)
{
	KEEP(p);
	KEEP(k);
}

__attribute__((noinline)) void begin(long *id)
{
	KEEP(id);
}

__attribute__((noinline)) int finish(long *id)
{
	KEEP(id);
	return id ? 1 : -1;
}

int main(void)
{
	int values[] = { 1, 2, 3, 4 };
	long ids[] = { 101, 102, 103 };
	int i;

	for (i = 0; i < 4; i++)
		take(&values[i], i);
	take((int *)(uintptr_t)8, 9);
	take((int *)(uintptr_t)16, 9);
	for (i = 0; i < 3; i++) {
		begin(&ids[i]);
		finish(&ids[i]);
	}
	begin(NULL);
	finish(NULL);
	return 0;
}

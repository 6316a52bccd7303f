// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * stacks [N [DEPTH]]: N system calls (getppid), the i-th from a stack that spells i: DEPTH calls of
 * one() or zero(), the innermost is the lowest bit.
 */
#include "workload.h"

static const struct workload_syscall *call;

static void step(unsigned long bits, unsigned long depth);

/* An instruction after the call keeps it from becoming a jump. */
#define KEEP() __asm__ volatile("" ::: "memory")

__attribute__((noinline)) static void zero(unsigned long bits, unsigned long depth)
{
	step(bits, depth);
	KEEP();
}

__attribute__((noinline)) static void one(unsigned long bits, unsigned long depth)
{
	step(bits, depth);
	KEEP();
}

__attribute__((always_inline)) static inline void step(unsigned long bits, unsigned long depth)
{
	if (!depth)
		workload__call(call, 1);
	else if (depth <= 64 && bits >> (depth - 1) & 1)
		one(bits, depth - 1);
	else
		zero(bits, depth - 1);
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? workload__count(argv[1]) : 1003;
	unsigned long depth = argc > 2 ? workload__count(argv[2]) : 17, i;

	call = workload__syscall("getppid");
	for (i = 0; i < n; i++)
		step(i, depth);
	workload__say("pid=%d count=%lu depth=%lu\n", (int)getpid(), n, depth);
	return 0;
}

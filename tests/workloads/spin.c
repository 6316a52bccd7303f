// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * spin [SEC [CPU]]: burns SEC seconds (decimal) of CPU time, two thirds of it in spin_outer()
 * itself and one third in spin_inner(), which spin_outer() calls: main → spin_outer → spin_inner.
 * With SPIN_TELL in the environment inner= tells how much of it really was in spin_inner() on this
 * CPU, in thousandths; asking for that are system calls of spin_outer().
 */
#include <sched.h>
#include <stdbool.h>
#include <time.h>

#include "workload.h"

static volatile unsigned long spun;

static double inner_s;
static bool tells;

static double cpu_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

__attribute__((noinline, noclone)) void spin_inner(void)
{
	int i;

	for (i = 0; i < 100000; i++)
		spun++;
	/* Not a tail call of whatever comes last. */
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline, noclone)) void spin_outer(void)
{
	double begin_s = tells ? cpu_s() : 0;
	int i;

	spin_inner();
	if (tells)
		inner_s += cpu_s() - begin_s;
	for (i = 0; i < 200000; i++)
		spun++;
	__asm__ volatile("" ::: "memory");
}

int main(int argc, char **argv)
{
	double sec = argc > 1 ? strtod(argv[1], NULL) : 3;
	unsigned long calls = 0;

	if (argc > 2) {
		cpu_set_t set;

		CPU_ZERO(&set);
		CPU_SET(atoi(argv[2]), &set);
		if (sched_setaffinity(0, sizeof(set), &set))
			return 1;
	}
	tells = getenv("SPIN_TELL") != NULL;
	while (cpu_s() < sec) {
		spin_outer();
		calls++;
	}
	workload__say("pid=%d calls=%lu cpu_s=%.3f inner=%.0f\n", (int)syscall(SYS_gettid), calls,
		      cpu_s(), inner_s * 1000 / cpu_s());
	return 0;
}

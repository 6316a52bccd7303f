// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * sleeper [N [US [DEPTH]]]: sleeps N times US microseconds, DEPTH calls of deeper() below main();
 * says how long that took by the clock.
 */
#include <time.h>

#include "workload.h"

static unsigned long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (unsigned long)t.tv_sec * 1000000000ul + (unsigned long)t.tv_nsec;
}

__attribute__((noinline)) static void sleep_us(unsigned long us)
{
	struct timespec t = { (time_t)(us / 1000000), (long)(us % 1000000) * 1000 };

	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &t, NULL);
	/* An instruction after the call keeps it from becoming a jump. */
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void deeper(unsigned long us, unsigned long depth)
{
	if (depth > 1)
		deeper(us, depth - 1);
	else
		sleep_us(us);
	__asm__ volatile("" ::: "memory");
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? workload__count(argv[1]) : 107;
	unsigned long us = argc > 2 ? workload__count(argv[2]) : 5000, i, start = now_ns();
	unsigned long depth = argc > 3 ? workload__count(argv[3]) : 0;

	for (i = 0; i < n; i++)
		if (depth)
			deeper(us, depth);
		else
			sleep_us(us);
	printf("pid=%d sleeps=%lu ns=%lu\n", (int)getpid(), n, now_ns() - start);
	return 0;
}

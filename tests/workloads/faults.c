// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * faults [PAGES [ROUNDS]]: each round makes a system call (getppid), and then touches PAGES fresh
 * pages of memory, going from CPU to CPU: PAGES page faults from one call to the next. One more
 * call ends it.
 */
#include <sched.h>
#include <sys/mman.h>

#include "workload.h"

static void move_to(const cpu_set_t *allowed, unsigned long i)
{
	unsigned long k = i % (unsigned long)CPU_COUNT(allowed);
	cpu_set_t one;
	int cpu = -1;

	do {
		while (!CPU_ISSET(++cpu, allowed))
			;
	} while (k--);
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

int main(int argc, char **argv)
{
	unsigned long pages = argc > 1 ? workload__count(argv[1]) : 1009;
	unsigned long rounds = argc > 2 ? workload__count(argv[2]) : 7, i, r;
	const struct workload_syscall *call = workload__syscall("getppid");
	size_t page = (size_t)sysconf(_SC_PAGESIZE), sz = pages * page;
	cpu_set_t allowed;
	volatile char *at;

	sched_getaffinity(0, sizeof(allowed), &allowed);
	/* Moves now, so that the code of a round is in memory before the first round. */
	move_to(&allowed, 0);
	for (r = 0; r < rounds; r++) {
		at = mmap(NULL, sz, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (at == MAP_FAILED)
			return 1;
		madvise((void *)at, sz, MADV_NOHUGEPAGE);
		workload__call(call, 1);
		for (i = 0; i < pages; i++) {
			at[i * page] = 1;
			if (i % 100 == 99)
				move_to(&allowed, r + i / 100);
		}
		workload__call(call, 1);
	}
	workload__say("pid=%d pages=%lu rounds=%lu\n", (int)getpid(), pages, rounds);
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * phases SERIAL_MS PARALLEL_MS THREADS [wait]: one thread burns for some wall-clock time, then many
 * do, spread over the CPUs. Prints how long each phase was, and its CPU time. With `wait` it first
 * prints its pid, and reads a line.
 */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <time.h>

#include "workload.h"

#define PLACE __attribute__((noinline, noclone))

static volatile uint64_t parallel_end_ns;

static uint64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* Inlined, so that the caller is the place of it. */
__attribute__((always_inline)) static inline void burn_until(uint64_t end_ns)
{
	volatile unsigned int i;

	do {
		for (i = 0; i < 4000; i++)
			;
	} while (clock_ns(CLOCK_MONOTONIC) < end_ns);
}

PLACE void serial_phase(uint64_t end_ns)
{
	burn_until(end_ns);
	__asm__ volatile("" ::: "memory");
}

/* Pins this thread to one of the CPUs that the program may use. */
static void spread(unsigned long nr)
{
	cpu_set_t set, one;
	int cpu;

	if (sched_getaffinity(0, sizeof(set), &set))
		exit(1);
	nr %= (unsigned long)CPU_COUNT(&set);
	for (cpu = 0; !CPU_ISSET(cpu, &set) || nr; cpu++)
		nr -= CPU_ISSET(cpu, &set) ? 1 : 0;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		exit(1);
}

PLACE void *parallel_phase(void *arg)
{
	spread((unsigned long)(uintptr_t)arg);
	burn_until(parallel_end_ns);
	__asm__ volatile("" ::: "memory");
	return arg;
}

int main(int argc, char **argv)
{
	uint64_t start_ns, cpu_ns, middle_ns, middle_cpu_ns;
	unsigned long cnt, i;
	pthread_t *threads;
	char c;

	if (argc < 4)
		return 2;
	cnt = workload__count(argv[3]);
	threads = calloc(cnt + 1, sizeof(*threads));
	if (!threads)
		return 1;
	if (argc > 4) {
		workload__say("pid=%d\n", getpid());
		if (read(STDIN_FILENO, &c, 1) != 1)
			return 1;
	}
	start_ns = clock_ns(CLOCK_MONOTONIC);
	cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	serial_phase(start_ns + workload__count(argv[1]) * 1000000);
	middle_ns = clock_ns(CLOCK_MONOTONIC);
	middle_cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	parallel_end_ns = middle_ns + workload__count(argv[2]) * 1000000;
	for (i = 0; i < cnt; i++)
		if (pthread_create(&threads[i], NULL, parallel_phase, (void *)(uintptr_t)i))
			return 1;
	for (i = 0; i < cnt; i++)
		pthread_join(threads[i], NULL);
	workload__say(
		"serial_ms=%lu serial_cpu_ms=%lu parallel_ms=%lu parallel_cpu_ms=%lu\n",
		(unsigned long)((middle_ns - start_ns) / 1000000),
		(unsigned long)((middle_cpu_ns - cpu_ns) / 1000000),
		(unsigned long)((clock_ns(CLOCK_MONOTONIC) - middle_ns) / 1000000),
		(unsigned long)((clock_ns(CLOCK_PROCESS_CPUTIME_ID) - middle_cpu_ns) / 1000000));
	return 0;
}

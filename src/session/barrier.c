// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/barrier.h"

#include <sched.h>
#include <stddef.h>
#include <stdint.h>

#include "util/mono.h"

#define BOUND_NS 50000000ull
#define MAX_CPUS 1024

void barrier__all_cpus(void)
{
	size_t sz = CPU_ALLOC_SIZE(MAX_CPUS);
	cpu_set_t *before = CPU_ALLOC(MAX_CPUS), *one = CPU_ALLOC(MAX_CPUS);
	uint64_t end = mono_ns() + BOUND_NS;
	int cpu;

	if (before && one && sched_getaffinity(0, sz, before) == 0) {
		for (cpu = 0; cpu < MAX_CPUS && mono_ns() < end; cpu++) {
			CPU_ZERO_S(sz, one);
			CPU_SET_S(cpu, sz, one);
			/* Fails for CPUs that are not there: nothing runs on them. */
			sched_setaffinity(0, sz, one);
		}
		sched_setaffinity(0, sz, before);
	}
	if (before)
		CPU_FREE(before);
	if (one)
		CPU_FREE(one);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Waits until running BPF programs have ended, by visiting each CPU. */
#include "session/prog_sync.h"

#include <sched.h>
#include <stddef.h>
#include <stdint.h>

#include "session/cpus.h"
#include "util/mono.h"

#define BOUND_NS 50000000ull

void prog_sync__all_cpus(void)
{
	int cnt = cpus__possible(), cpu;
	size_t sz = CPU_ALLOC_SIZE(WIRE_MAX_CPUS);
	cpu_set_t *before = CPU_ALLOC(WIRE_MAX_CPUS), *one = CPU_ALLOC(WIRE_MAX_CPUS);
	uint64_t end = mono_ns() + BOUND_NS;

	if (before && one && sched_getaffinity(0, sz, before) == 0) {
		for (cpu = 0; cpu < cnt && mono_ns() < end; cpu++) {
			CPU_ZERO_S(sz, one);
			CPU_SET_S(cpu, sz, one);
			/* This fails for CPUs that are offline, on which no program runs. */
			sched_setaffinity(0, sz, one);
		}
		sched_setaffinity(0, sz, before);
	}
	if (before)
		CPU_FREE(before);
	if (one)
		CPU_FREE(one);
}

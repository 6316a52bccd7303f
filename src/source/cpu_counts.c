// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "source/cpu_counts.h"

#include <linux/types.h>

#include "bpf/wire.h"

#define READ(member) __atomic_load_n(&(member), __ATOMIC_RELAXED)

uint64_t cpu_counts__produced(const struct wire_cpu *cpu)
{
	uint64_t cnt = READ(cpu->produced_refused) + READ(cpu->cnt);
	int level;

	for (level = 0; level < WIRE_LEVELS; level++)
		cnt += READ(cpu->produced[level]);
	return cnt;
}

uint64_t cpu_counts__nested(const struct wire_cpu *cpu)
{
	uint64_t cnt = READ(cpu->produced_refused);
	int level;

	for (level = 1; level < WIRE_LEVELS; level++)
		cnt += READ(cpu->produced[level]);
	return cnt;
}

void cpu_counts__lost(const struct wire_cpu *cpu, bool overwrites, bool has_ring,
		      uint64_t lost[LOST_CPU_CAUSES])
{
	uint64_t full = READ(cpu->lost_full);

	lost[LOST_RING_FULL] = overwrites ? 0 : full;
	lost[LOST_PAUSED] = overwrites ? full : 0;
	lost[LOST_NESTED] = READ(cpu->lost_nested);
	lost[LOST_NO_RING] = READ(cpu->lost_no_ring);
	lost[LOST_OTHER] = READ(cpu->lost_other);
	if (!has_ring)
		lost[LOST_NO_RING] += READ(cpu->cnt);
}

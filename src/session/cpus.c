// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/cpus.h"

#include <errno.h>
#include <sys/mman.h>

#include <bpf/libbpf.h>

_Static_assert(sizeof(struct wire_cpu) % 64 == 0, "no two CPUs share a cache line");

int cpus__possible(void)
{
	return libbpf_num_possible_cpus();
}

int cpus__map(struct cpus *c, int map_fd)
{
	int cnt = cpus__possible();
	void *at;

	if (cnt < 0)
		return cnt;
	at = mmap(NULL, (size_t)cnt * sizeof(*c->at), PROT_READ | PROT_WRITE, MAP_SHARED, map_fd,
		  0);
	if (at == MAP_FAILED)
		return -errno;
	*c = (struct cpus){ at, cnt };
	return 0;
}

void cpus__unmap(struct cpus *c)
{
	if (c->at)
		munmap(c->at, (size_t)c->cnt * sizeof(*c->at));
	*c = (struct cpus){ 0 };
}

#define READ(member) __atomic_load_n(&(member), __ATOMIC_RELAXED)

struct cpu_counts cpus__counts(const struct cpus *c, int cpu)
{
	const struct wire_cpu *w = &c->at[cpu];
	struct cpu_counts counts = {
		.produced = READ(w->produced_refused) + READ(w->cnt),
		.lost_full = READ(w->lost_full),
		.lost_nested = READ(w->lost_nested),
		.lost_no_ring = READ(w->lost_no_ring),
		.lost_other = READ(w->lost_other),
	};
	int level;

	for (level = 0; level < WIRE_LEVELS; level++)
		counts.produced += READ(w->produced[level]);
	counts.lost =
		counts.lost_full + counts.lost_nested + counts.lost_no_ring + counts.lost_other;
	return counts;
}

uint64_t cpus__nested(const struct cpus *c, int cpu)
{
	uint64_t cnt = READ(c->at[cpu].produced_refused);
	int level;

	for (level = 1; level < WIRE_LEVELS; level++)
		cnt += READ(c->at[cpu].produced[level]);
	return cnt;
}

uint32_t cpus__waiting(const struct cpus *c, int cpu)
{
	return READ(c->at[cpu].cnt);
}

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The place of a CPU in the machine: its NUMA node, socket, die and core, by sysfs. */
#ifndef BPFPERF_HOST_TOPOLOGY_H
#define BPFPERF_HOST_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>

enum topology_level {
	TOPOLOGY_NODE,
	TOPOLOGY_SOCKET,
	TOPOLOGY_DIE,
	TOPOLOGY_CORE,
	TOPOLOGY_CLUSTER,
	TOPOLOGY_CACHE, /* of the highest level; TOPOLOGY_CACHE + n: of level n */
};

#define TOPOLOGY_CACHE_LEVELS 9

/*
 * Two CPUs are in one place if all members are equal. A member that the level does not distinguish
 * is 0.
 */
struct topology_place {
	int node, socket, die, core, cluster;
	int cache_level, cache; /* a cache is named by the first CPU that has it, as in perf */
};

/* Ids that sysfs lacks are 0, as in a machine with one of each. */
void topology__find(int cpu, enum topology_level level, struct topology_place *place);
/* Has a CPU a cache of this level (0: any)? */
bool topology__has_cache(int cpu, int level);
/* Compares by socket, die and the rest, or by node, as numbers. Returns below, at or above 0. */
int topology__compare(const struct topology_place *a, const struct topology_place *b);
/* Writes "N0", "S0", "S0-D0", "S0-D0-C1", "S0-D0-CLS0" or "S0-D0-L3-ID0", names of perf stat. */
void topology__label(const struct topology_place *place, enum topology_level level, char *buf,
		     size_t sz);

#endif

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "host/topology.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fs.h"

/* Caches of one CPU that are looked at: the kernel lists a few. */
#define CACHES 16

#define CPU_DIR "/sys/devices/system/cpu/cpu"

static int id_of(int cpu, const char *name)
{
	char path[128];
	long id;

	snprintf(path, sizeof(path), CPU_DIR "%d/topology/%s", cpu, name);
	/* -1: the firmware does not report it. */
	return fs__read_long(path, &id) || id < 0 ? 0 : (int)id;
}

/* Finds the directory cpuN/nodeM, of which there is one. */
static int node_of(int cpu)
{
	const struct dirent *entry;
	char path[128], *end;
	int node = 0;
	long id;
	DIR *dir;

	snprintf(path, sizeof(path), CPU_DIR "%d", cpu);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, "node", 4))
			continue;
		id = strtol(entry->d_name + 4, &end, 10);
		if (end != entry->d_name + 4 && !*end)
			node = (int)id;
	}
	if (dir)
		closedir(dir);
	return node;
}

/* Reads the first number of a list of CPUs: "0-3,8". */
static int first_of(const char *path, int cpu)
{
	long first;

	return fs__read_long(path, &first) || first < 0 ? cpu : (int)first;
}

/* Finds the cache of a level, or that of the highest; level 0 afterwards: there is none. */
static void find_cache(int cpu, int level, struct topology_place *place)
{
	char path[128];
	long found;
	int i;

	for (i = 0; i < CACHES; i++) {
		snprintf(path, sizeof(path), CPU_DIR "%d/cache/index%d/level", cpu, i);
		if (fs__read_long(path, &found) || found < 1)
			return;
		if (level ? found != level : found < place->cache_level)
			continue;
		snprintf(path, sizeof(path), CPU_DIR "%d/cache/index%d/shared_cpu_list", cpu, i);
		place->cache_level = (int)found;
		place->cache = first_of(path, cpu);
	}
}

bool topology__has_cache(int cpu, int level)
{
	struct topology_place place = { 0 };

	find_cache(cpu, level, &place);
	return place.cache_level > 0;
}

void topology__find(int cpu, enum topology_level level, struct topology_place *place)
{
	*place = (struct topology_place){ 0 };
	if (level == TOPOLOGY_NODE) {
		place->node = node_of(cpu);
		return;
	}
	place->socket = id_of(cpu, "physical_package_id");
	if (level >= TOPOLOGY_DIE)
		place->die = id_of(cpu, "die_id");
	if (level == TOPOLOGY_CORE)
		place->core = id_of(cpu, "core_id");
	if (level == TOPOLOGY_CLUSTER)
		place->cluster = id_of(cpu, "cluster_id");
	if (level >= TOPOLOGY_CACHE)
		find_cache(cpu, (int)level - TOPOLOGY_CACHE, place);
}

static int compare(int a, int b)
{
	return (a > b) - (a < b);
}

int topology__compare(const struct topology_place *a, const struct topology_place *b)
{
	if (a->node != b->node)
		return compare(a->node, b->node);
	if (a->socket != b->socket)
		return compare(a->socket, b->socket);
	if (a->die != b->die)
		return compare(a->die, b->die);
	if (a->cluster != b->cluster)
		return compare(a->cluster, b->cluster);
	if (a->cache_level != b->cache_level)
		return compare(a->cache_level, b->cache_level);
	if (a->cache != b->cache)
		return compare(a->cache, b->cache);
	return compare(a->core, b->core);
}

void topology__label(const struct topology_place *place, enum topology_level level, char *buf,
		     size_t sz)
{
	switch (level) {
	case TOPOLOGY_NODE:
		snprintf(buf, sz, "N%d", place->node);
		break;
	case TOPOLOGY_SOCKET:
		snprintf(buf, sz, "S%d", place->socket);
		break;
	case TOPOLOGY_DIE:
		snprintf(buf, sz, "S%d-D%d", place->socket, place->die);
		break;
	case TOPOLOGY_CORE:
		snprintf(buf, sz, "S%d-D%d-C%d", place->socket, place->die, place->core);
		break;
	case TOPOLOGY_CLUSTER:
		snprintf(buf, sz, "S%d-D%d-CLS%d", place->socket, place->die, place->cluster);
		break;
	default:
		snprintf(buf, sz, "S%d-D%d-L%d-ID%d", place->socket, place->die, place->cache_level,
			 place->cache);
		break;
	}
}

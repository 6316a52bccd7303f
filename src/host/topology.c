// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "host/topology.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fs.h"

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
	if (level >= TOPOLOGY_CORE)
		place->core = id_of(cpu, "core_id");
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
	}
}

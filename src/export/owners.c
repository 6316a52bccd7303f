// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/owners.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "machine/proc_event.h"

/* A path of control groups is a path, behind "0::". */
#define CGROUP_MAX 4400

/*
 * Control groups and processes that are remembered; beyond that all is forgotten, and the groups of
 * further ones are not told apart.
 */
#define PATHS_MAX 4096
#define PIDS_MAX 100000

/*
 * The unified hierarchy's path; where processes are in the older hierarchies alone, the longest
 * path, which is that of a container. NULL: none.
 */
static char *find_path(char *text)
{
	char *line, *next, *path, *best = NULL;

	for (line = text; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		path = strchr(line, ':');
		path = path ? strchr(path + 1, ':') : NULL;
		if (!path)
			continue;
		path++;
		if (!strncmp(line, "0::", 3) && strcmp(path, "/"))
			return path;
		if (!best || strlen(path) > strlen(best))
			best = path;
	}
	return best;
}

/* The owner of a running process; 0: unknown. */
static uint32_t read_owner(struct owners *o, int32_t pid)
{
	char name[40], text[CGROUP_MAX + 1], *path;
	uint32_t owner;
	ssize_t len;
	int fd;

	snprintf(name, sizeof(name), "/proc/%d/cgroup", pid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	len = read(fd, text, CGROUP_MAX);
	close(fd);
	if (len <= 0)
		return 0;
	text[len] = '\0';
	path = find_path(text);
	if (!path || (o->paths.cnt >= PATHS_MAX))
		return 0;
	owner = texts__add_escaped(&o->paths, path, strlen(path));
	return owner == TEXTS_NONE ? 0 : owner;
}

static void remember(struct owners *o, int32_t pid, uint32_t owner)
{
	uint32_t *slot;

	/* A run may last for months: at some size the maps begin anew. */
	if (o->by_pid.used >= PIDS_MAX || o->parents.used >= PIDS_MAX) {
		u64map__free(&o->by_pid);
		u64map__free(&o->parents);
	}
	slot = u64map__slot(&o->by_pid, (uint32_t)pid);
	if (slot)
		*slot = owner;
}

static uint32_t owner_of(void *ctx, int32_t pid)
{
	struct owners *o = ctx;
	uint32_t owner = u64map__get(&o->by_pid, (uint32_t)pid), parent = (uint32_t)pid;
	int depth;

	if (owner != U64MAP_NONE)
		return owner;
	owner = pid > 0 ? read_owner(o, pid) : 0;
	for (depth = 0; !owner && depth < 8; depth++) {
		parent = u64map__get(&o->parents, parent);
		if (parent == U64MAP_NONE)
			break;
		owner = u64map__get(&o->by_pid, parent);
		if (owner == U64MAP_NONE)
			owner = read_owner(o, (int32_t)parent);
	}
	remember(o, pid, owner);
	return owner;
}

static const char *cgroup_of(void *ctx, uint32_t owner)
{
	return texts__get(&((struct owners *)ctx)->paths, owner);
}

static void forget(struct u64map *map, int32_t pid)
{
	uint32_t *slot;

	if (u64map__get(map, (uint32_t)pid) == U64MAP_NONE)
		return;
	slot = u64map__slot(map, (uint32_t)pid);
	if (slot)
		*slot = U64MAP_NONE;
}

void owners__task(struct owners *o, const struct proc_event *ev)
{
	uint32_t *slot;

	if (ev->kind != PROC_FORK)
		return;
	/* The number may have been another process's. */
	forget(&o->by_pid, ev->pid);
	if (o->parents.used >= PIDS_MAX)
		u64map__free(&o->parents);
	slot = u64map__slot(&o->parents, (uint32_t)ev->pid);
	if (slot)
		*slot = (uint32_t)ev->parent_pid;
}

void owners__init(struct owners *o, struct profile_owners *ops)
{
	*o = (struct owners){ .by_pid = U64MAP_INIT, .parents = U64MAP_INIT };
	texts__add(&o->paths, "", 0);
	*ops = (struct profile_owners){ .of = owner_of, .cgroup = cgroup_of, .ctx = o };
}

void owners__free(struct owners *o)
{
	u64map__free(&o->by_pid);
	u64map__free(&o->parents);
	texts__free(&o->paths);
}

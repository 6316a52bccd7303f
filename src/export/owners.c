// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/owners.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "machine/proc_event.h"

/* A path of control groups is a path, behind "0::". */
#define CGROUP_MAX 4400

/*
 * Control groups, each with its sets of attributes, that are told apart; samples of further ones
 * have none.
 */
#define OWNERS_MAX 4096
#define BYTES_MAX (4u << 20)

/*
 * A process may begin to publish attributes long after its start, or change them: seconds until it
 * is read again, the last of them from then on. One that began during the run is read after the
 * first pause, since most are gone by then.
 */
static const uint32_t pauses_s[] = { 2, 10, 60, 600 };
#define STEPS (sizeof(pauses_s) / sizeof(*pauses_s))

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

static uint32_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint32_t)now.tv_sec;
}

/* Adds the owner in o->blob; 0: it has nothing, or there is no room. */
static uint32_t add_owner(struct owners *o)
{
	uint32_t owner;

	if (o->blobs.cnt >= OWNERS_MAX || o->blobs.bytes.len + o->blob.len > BYTES_MAX)
		return 0;
	owner = blobs__add(&o->blobs, o->blob.buf, o->blob.len);
	return owner == BLOBS_NONE ? 0 : owner;
}

/* The owner of a running process; 0: unknown. */
static uint32_t read_owner(struct owners *o, int32_t pid, bool with_attrs)
{
	char name[40], text[CGROUP_MAX + 1], *path;
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
	strbuf__reset(&o->blob);
	if (path)
		strbuf__put_escaped(&o->blob, path, strlen(path));
	strbuf__putc(&o->blob, '\0');
	/* Attributes may be one set a process: groups keep half of the room. */
	if (with_attrs && o->blobs.cnt < OWNERS_MAX / 2)
		process_ctx__read(pid, &o->blob);
	return add_owner(o);
}

static void remember(struct owners *o, int32_t pid, uint32_t owner, uint32_t step)
{
	recent_map__set(&o->by_pid, (uint32_t)pid, owner);
	recent_map__set(&o->looks, (uint32_t)pid, (now_s() + pauses_s[step]) << 2 | step);
}

/* A process that ended before it was read has its parent's group, not its attributes. */
static uint32_t parents_owner(struct owners *o, int32_t pid)
{
	uint32_t parent = (uint32_t)pid, owner = 0;
	const char *group;
	size_t len;
	int depth;

	for (depth = 0; !owner && depth < 8; depth++) {
		parent = recent_map__get(&o->parents, parent);
		if (parent == U64MAP_NONE)
			return 0;
		owner = recent_map__get(&o->by_pid, parent);
		if (owner == U64MAP_NONE)
			owner = read_owner(o, (int32_t)parent, false);
	}
	group = blobs__get(&o->blobs, owner, &len);
	strbuf__reset(&o->blob);
	strbuf__add(&o->blob, group, strlen(group) + 1);
	return add_owner(o);
}

/* Reads a process again, if its time has come. */
static uint32_t read_again(struct owners *o, int32_t pid, uint32_t owner)
{
	uint32_t look = recent_map__get(&o->looks, (uint32_t)pid), step = look & 3, now;

	if (look == U64MAP_NONE || pid <= 0 || now_s() < look >> 2)
		return owner;
	now = read_owner(o, pid, true);
	owner = now ? now : owner;
	remember(o, pid, owner, step + 1 < STEPS ? step + 1 : step);
	return owner;
}

static uint32_t owner_of(void *ctx, int32_t pid)
{
	struct owners *o = ctx;
	uint32_t owner = recent_map__get(&o->by_pid, (uint32_t)pid);
	bool is_new;

	if (owner != U64MAP_NONE)
		return read_again(o, pid, owner);
	is_new = recent_map__get(&o->parents, (uint32_t)pid) != U64MAP_NONE;
	owner = pid > 0 ? read_owner(o, pid, !is_new) : 0;
	if (!owner)
		owner = parents_owner(o, pid);
	remember(o, pid, owner, is_new ? 0 : 1);
	return owner;
}

static const char *cgroup_of(void *ctx, uint32_t owner)
{
	size_t len;

	return blobs__get(&((struct owners *)ctx)->blobs, owner, &len);
}

static const char *const *attrs_of(void *ctx, uint32_t owner)
{
	struct owners *o = ctx;
	size_t len, cnt = 0;
	const char *at = blobs__get(&o->blobs, owner, &len), *end = at + len;

	for (at += strlen(at) + 1; at < end && cnt < 2 * PROCESS_CTX_ATTRS_MAX;
	     at += strlen(at) + 1)
		o->attrs[cnt++] = at;
	o->attrs[cnt] = NULL;
	return o->attrs;
}

void owners__task(struct owners *o, const struct proc_event *ev)
{
	uint32_t pid = (uint32_t)ev->pid;

	/* Another program publishes something else. */
	if (ev->kind == PROC_EXEC && recent_map__get(&o->looks, pid) != U64MAP_NONE)
		recent_map__set(&o->looks, pid, (now_s() + pauses_s[0]) << 2);
	if (ev->kind != PROC_FORK)
		return;
	/* The number may have been another process's. */
	recent_map__set(&o->by_pid, pid, U64MAP_NONE);
	recent_map__set(&o->looks, pid, U64MAP_NONE);
	recent_map__set(&o->parents, pid, (uint32_t)ev->parent_pid);
}

void owners__init(struct owners *o, struct profile_owners *ops)
{
	*o = (struct owners){ .by_pid = RECENT_MAP_INIT,
			      .looks = RECENT_MAP_INIT,
			      .parents = RECENT_MAP_INIT };
	blobs__add(&o->blobs, "", 1);
	*ops = (struct profile_owners){
		.of = owner_of, .cgroup = cgroup_of, .attrs = attrs_of, .ctx = o
	};
}

void owners__free(struct owners *o)
{
	recent_map__free(&o->by_pid);
	recent_map__free(&o->looks);
	recent_map__free(&o->parents);
	blobs__free(&o->blobs);
	strbuf__free(&o->blob);
}

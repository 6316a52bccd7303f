// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "strace/fd_names.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/u64map.h"

/* The working directory of a process is kept like a descriptor. */
#define CWD AT_FDCWD

struct fd_names {
	struct u64map by_fd; /* process and descriptor → index of names */
	struct u64map parents; /* process → the one that created it */
	char **names; /* NULL: closed */
	size_t cnt, cap;
};

struct fd_names *fd_names__new(void)
{
	return calloc(1, sizeof(struct fd_names));
}

void fd_names__free(struct fd_names *n)
{
	size_t i;

	if (!n)
		return;
	for (i = 0; i < n->cnt; i++)
		free(n->names[i]);
	free(n->names);
	u64map__free(&n->by_fd);
	u64map__free(&n->parents);
	free(n);
}

static uint64_t key_of(pid_t tgid, int fd)
{
	return (uint64_t)(uint32_t)tgid << 32 | (uint32_t)fd;
}

/* Sets the name, which is copied; NULL: forgets it. */
static void set_name(struct fd_names *n, pid_t tgid, int fd, const char *name)
{
	uint32_t *slot;

	if (n->cnt == n->cap) {
		size_t cap = n->cap ? 2 * n->cap : 64;
		void *more = realloc(n->names, cap * sizeof(*n->names));

		if (!more)
			return;
		n->names = more;
		n->cap = cap;
	}
	slot = u64map__slot(&n->by_fd, key_of(tgid, fd));
	if (!slot)
		return;
	if (*slot == U64MAP_NONE) {
		if (!name)
			return;
		*slot = (uint32_t)n->cnt;
		n->names[n->cnt++] = NULL;
	}
	free(n->names[*slot]);
	n->names[*slot] = name ? strdup(name) : NULL;
}

static const char *known_name(const struct fd_names *n, pid_t tgid, int fd)
{
	uint32_t i = u64map__get(&n->by_fd, key_of(tgid, fd));

	return i == U64MAP_NONE ? NULL : n->names[i];
}

/* The name is that of /proc or of the parent if no call has shown it. */
const char *fd_names__get(struct fd_names *n, pid_t tgid, int fd)
{
	const char *name = known_name(n, tgid, fd);
	char path[64], target[PATH_MAX];
	uint32_t parent;
	ssize_t len;

	if (name)
		return name;
	if (fd == CWD)
		snprintf(path, sizeof(path), "/proc/%d/cwd", tgid);
	else
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", tgid, fd);
	len = readlink(path, target, sizeof(target) - 1);
	if (len > 0) {
		target[len] = '\0';
		set_name(n, tgid, fd, target);
		return known_name(n, tgid, fd);
	}
	parent = u64map__get(&n->parents, (uint64_t)tgid);
	return parent == U64MAP_NONE ? NULL : known_name(n, (pid_t)parent, fd);
}

/* Sets the name of a path that is relative to a descriptor. */
static void set_path(struct fd_names *n, pid_t tgid, int fd, int dirfd, const char *path)
{
	char joined[2 * PATH_MAX], real[PATH_MAX];
	const char *base;

	if (path[0] != '/') {
		base = fd_names__get(n, tgid, dirfd);
		if (!base) {
			set_name(n, tgid, fd, NULL);
			return;
		}
		snprintf(joined, sizeof(joined), "%s/%s", base, path);
		path = joined;
	}
	set_name(n, tgid, fd, realpath(path, real) ? real : path);
}

static bool is_call(const struct call_view *v, const char *name)
{
	return v->call->name && strcmp(v->call->name, name) == 0;
}

/* Learns the file of a new descriptor. */
static void learn_new(struct fd_names *n, const struct call_view *v, pid_t tgid, int fd)
{
	bool is_at = strncmp(v->call->name, "openat", 6) == 0;
	size_t sz;
	const char *path;

	if (is_at || is_call(v, "open") || is_call(v, "creat")) {
		path = view__part(v, is_at ? 1 : 0, 0, &sz);
		if (path && strnlen(path, sz) < sz)
			set_path(n, tgid, fd, is_at ? (int)v->args[0] : CWD, path);
		else
			set_name(n, tgid, fd, NULL);
	} else if (strncmp(v->call->name, "dup", 3) == 0 || is_call(v, "fcntl")) {
		set_name(n, tgid, fd, fd_names__get(n, tgid, (int)v->args[0]));
	} else {
		set_name(n, tgid, fd, NULL);
	}
}

void fd_names__before(struct fd_names *n, const struct call_view *v)
{
	pid_t tgid = (pid_t)v->rec->head.tgid;
	const struct call_desc *d = v->call->desc;
	const int *pair;

	if (!d || !v->returned || v->err)
		return;
	if (d->ret == ret_fd ||
	    (d->ret == ret_fcntl && (v->args[1] == F_DUPFD || v->args[1] == F_DUPFD_CLOEXEC))) {
		learn_new(n, v, tgid, (int)v->ret);
	} else if (is_call(v, "pipe2") || is_call(v, "pipe") || is_call(v, "socketpair")) {
		pair = view__struct(v, is_call(v, "socketpair") ? 3 : 0, 8);
		if (!pair)
			return;
		set_name(n, tgid, pair[0], NULL);
		set_name(n, tgid, pair[1], NULL);
	} else if (d->flags & STRACE_FORKS) {
		uint32_t *slot = u64map__slot(&n->parents, (uint64_t)v->ret);

		if (slot)
			*slot = (uint32_t)tgid;
	}
}

void fd_names__after(struct fd_names *n, const struct call_view *v)
{
	pid_t tgid = (pid_t)v->rec->head.tgid;
	size_t sz;
	const char *path;

	if (!v->call->desc || !v->returned || v->err)
		return;
	if (is_call(v, "close")) {
		set_name(n, tgid, (int)v->args[0], NULL);
	} else if (is_call(v, "chdir")) {
		path = view__part(v, 0, 0, &sz);
		if (path && strnlen(path, sz) < sz)
			set_path(n, tgid, CWD, CWD, path);
	} else if (is_call(v, "fchdir")) {
		set_name(n, tgid, CWD, fd_names__get(n, tgid, (int)v->args[0]));
	}
}

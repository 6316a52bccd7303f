// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/library_process.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sym/proc_maps.h"
#include "sym/root.h"
#include "util/path.h"

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Are they in one mount namespace? Equal roots of two can have different files below them. */
static bool has_own_mounts(pid_t pid)
{
	struct stat own, its;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", pid);
	return !stat(path, &its) && !stat("/proc/self/ns/mnt", &own) && !is_same(&own, &its);
}

void library_process__set(struct library_process *p, pid_t pid)
{
	struct stat own, its;

	*p = (struct library_process){ .pid = pid > 0 ? pid : 0 };
	if (!p->pid)
		return;
	snprintf(p->root, sizeof(p->root), "/proc/%d/root", pid);
	if (stat(p->root, &its) || stat("/", &own) || (is_same(&own, &its) && !has_own_mounts(pid)))
		p->root[0] = '\0';
}

/*
 * Is it the file, by this path, which is to have no links? Others can have made these, and the
 * directories: nothing is mounted for them. dir: the root's descriptor; -1: our own.
 */
static char *try_path(int dir, const char *root, const char *path, const struct stat *want)
{
	int fd = root__probe_mounted(dir, path);
	struct stat st;
	char *found = NULL;

	if (fd >= 0 && !fstat(fd, &st) && is_same(&st, want) &&
	    asprintf(&found, "%s%s", root, path) < 0)
		found = NULL;
	if (fd >= 0)
		close(fd);
	return found;
}

/* The path of a file that is open, without links; in our root if it is there. NULL: it has none. */
static char *link_of(int fd)
{
	char self[32], path[PATH_MAX];
	ssize_t len;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	len = readlink(self, path, sizeof(path) - 1);
	return len > 0 && path[0] == '/' ? strndup(path, (size_t)len) : NULL;
}

/*
 * The path of a file below the process's root. Links there lead within it, which no path through
 * /proc says to the kernel: it must be one without links.
 */
static char *find_below(const char *root, const char *path)
{
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd = dir < 0 ? -1 : root__probe_linked(dir, path);
	char *real, *found = NULL;
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode)) {
		real = link_of(fd);
		/* After chroot(2) it is in our root; else in its own mounts; or as it is given. */
		if (real)
			found = try_path(-1, "", real, &st) ?: try_path(dir, root, real, &st);
		if (!found)
			found = try_path(dir, root, path, &st);
		free(real);
	}
	if (fd >= 0)
		close(fd);
	if (dir >= 0)
		close(dir);
	return found;
}

/* A search among the process's mappings. */
struct mapped {
	const char *name;
	char *path; /* owned; of the first that has the name */
	uint64_t begin, end; /* its addresses */
};

/* "libssl" is a name of libssl.so.3, and "libssl.so" is. */
static bool has_name(const char *path, const char *name)
{
	const char *base = path__base(path);
	size_t len = strlen(name);

	if (path[0] != '/' || strncmp(base, name, len) != 0)
		return false;
	return !base[len] || !strncmp(base + len, ".so", 3) ||
	       (base[len] == '.' && strstr(name, ".so"));
}

static void try_map(void *ctx, const struct sym_map *map)
{
	struct mapped *m = ctx;

	if (m->path || !map->path || !has_name(map->path, m->name))
		return;
	m->path = strdup(map->path);
	m->begin = map->addr;
	m->end = map->addr + map->len;
}

#define DELETED " (deleted)"

/* A search for a file that the process runs, and that has no path any more. */
struct deleted {
	const char *name; /* of a program or library; NULL: it is searched for by its path */
	char *path; /* owned */
	uint64_t begin, end; /* the first of its mappings; end is 0: there is none */
	bool is_there; /* the process has mapped the file that has the path now */
};

static void try_deleted(void *ctx, const struct sym_map *map)
{
	struct deleted *d = ctx;
	size_t len = map->path ? strlen(map->path) : 0, suffix = strlen(DELETED);
	bool is_deleted = len > suffix && !strcmp(map->path + len - suffix, DELETED);
	char *path = map->path ? strndup(map->path, is_deleted ? len - suffix : len) : NULL;

	if (path && (d->name ? has_name(path, d->name) : !strcmp(path, d->path))) {
		d->is_there |= !is_deleted;
		if (is_deleted && !d->end) {
			d->begin = map->addr;
			d->end = map->addr + map->len;
		}
	}
	free(path);
}

/* The path of what a name with a slash leads to below dir, as lists of mappings have it. */
static char *find_mapped_path(int dir, const char *name)
{
	int fd = dir < 0 ? root__probe(dir, name) : root__probe_linked(dir, name);
	char *path = fd < 0 ? NULL : link_of(fd);

	if (fd >= 0)
		close(fd);
	return path;
}

/* A file that is not there any more has the path, too: its directory is there. */
static char *mapped_path(const struct library_process *p, const char *name)
{
	const char *base = path__base(name);
	char *up = strndup(name, (size_t)(base - name)), *real, *path = NULL;
	int dir = -1;

	if (p->root[0] && name[0] == '/')
		dir = open(p->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	path = find_mapped_path(dir, name);
	real = path || !up ? NULL : find_mapped_path(dir, up);
	if (real && asprintf(&path, "%s/%s", strcmp(real, "/") ? real : "", base) < 0)
		path = NULL;
	if (dir >= 0)
		close(dir);
	free(real);
	free(up);
	return path;
}

/* "/proc/PID/map_files/…": leads to the file that is mapped there, whatever has its path. */
static char *path_of_map(pid_t pid, uint64_t begin, uint64_t end)
{
	char *path;

	return asprintf(&path, "/proc/%d/map_files/%llx-%llx", (int)pid, (unsigned long long)begin,
			(unsigned long long)end) < 0
		       ? NULL
		       : path;
}

char *library_process__find_deleted(const struct library_process *p, const char *name)
{
	struct deleted d = { .name = strchr(name, '/') ? NULL : name };

	if (!p->pid)
		return NULL;
	d.path = d.name ? NULL : mapped_path(p, name);
	if (d.name || d.path)
		proc_maps__read(p->pid, try_deleted, &d);
	free(d.path);
	return d.is_there || !d.end ? NULL : path_of_map(p->pid, d.begin, d.end);
}

/* Is it the file that the process has mapped? The kernel may not tell. */
static bool is_mapped(const struct library_process *p, const struct mapped *m,
		      const struct stat *st)
{
	char *path = path_of_map(p->pid, m->begin, m->end);
	struct stat of_map;
	bool differs = path && !stat(path, &of_map) && !is_same(&of_map, st);

	free(path);
	return !differs;
}

char *library_process__find(const struct library_process *p, const char *name)
{
	struct mapped m = { .name = name };
	char *found = NULL;
	struct stat st;
	int fd;

	if (!p->pid)
		return NULL;
	if (strchr(name, '/'))
		return p->root[0] && name[0] == '/' ? find_below(p->root, name) : NULL;
	proc_maps__read(p->pid, try_map, &m);
	if (m.path && p->root[0])
		found = find_below(p->root, m.path);
	/* Mappings of a process that chroot(2) has locked up have paths of bpfperf's root. */
	fd = m.path && !found ? root__probe_mounted(-1, m.path) : -1;
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && is_mapped(p, &m, &st))
		found = strdup(m.path);
	if (fd >= 0)
		close(fd);
	free(m.path);
	return found;
}

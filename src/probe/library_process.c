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
#include "util/strbuf.h"

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

/* Is it the file, by this path? */
static char *try_path(const char *root, const char *path, const struct stat *want)
{
	struct strbuf sb = STRBUF_INIT;
	char *found = NULL;
	struct stat st;

	strbuf__printf(&sb, "%s%s", root, path);
	if (!stat(strbuf__cstr(&sb), &st) && is_same(&st, want))
		found = strdup(strbuf__cstr(&sb));
	strbuf__free(&sb);
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
	int fd = dir < 0 ? -1 : root__probe(dir, path);
	char *real, *found = NULL;
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode)) {
		real = link_of(fd);
		/* After chroot(2) it is in our root; else in its own mounts; or as it is given. */
		if (real)
			found = try_path("", real, &st) ?: try_path(root, real, &st);
		if (!found)
			found = try_path(root, path, &st);
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

	if (!m->path && map->path && has_name(map->path, m->name))
		m->path = strdup(map->path);
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
	int fd = root__probe(dir, name);
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

char *library_process__find_deleted(const struct library_process *p, const char *name)
{
	struct deleted d = { .name = strchr(name, '/') ? NULL : name };
	char *found = NULL;

	if (!p->pid)
		return NULL;
	d.path = d.name ? NULL : mapped_path(p, name);
	if (d.name || d.path)
		proc_maps__read(p->pid, try_deleted, &d);
	free(d.path);
	if (d.is_there || !d.end ||
	    asprintf(&found, "/proc/%d/map_files/%llx-%llx", (int)p->pid,
		     (unsigned long long)d.begin, (unsigned long long)d.end) < 0)
		return NULL;
	return found;
}

char *library_process__find(const struct library_process *p, const char *name)
{
	struct mapped m = { .name = name };
	char *found = NULL;

	if (!p->pid)
		return NULL;
	if (strchr(name, '/'))
		return p->root[0] && name[0] == '/' ? find_below(p->root, name) : NULL;
	proc_maps__read(p->pid, try_map, &m);
	if (m.path && p->root[0])
		found = find_below(p->root, m.path);
	/* Mappings of a process that chroot(2) has locked up have paths of bpfperf's root. */
	if (m.path && !found)
		found = realpath(m.path, NULL);
	free(m.path);
	return found;
}

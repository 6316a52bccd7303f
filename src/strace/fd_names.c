// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "strace/fd_names.h"

#include <dirent.h>
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
/* Generations of processes, from which one may inherit a descriptor. */
#define MAX_DEPTH 16

struct fd_name {
	char *name; /* NULL: unknown */
	struct strace_file *file; /* as the kernel had it last; NULL: unknown */
	pid_t pid; /* of a pidfd; 0: unknown */
};

struct fd_names {
	struct u64map by_fd; /* process and descriptor → index of names */
	struct u64map parents; /* process → the one that created it */
	struct fd_name *names;
	size_t cnt, cap;
};

struct fd_names *fd_names__new(void)
{
	return calloc(1, sizeof(struct fd_names));
}

static void forget(struct fd_name *e)
{
	free(e->name);
	free(e->file);
	*e = (struct fd_name){};
}

void fd_names__free(struct fd_names *n)
{
	size_t i;

	if (!n)
		return;
	for (i = 0; i < n->cnt; i++)
		forget(&n->names[i]);
	free(n->names);
	u64map__free(&n->by_fd);
	u64map__free(&n->parents);
	free(n);
}

static uint64_t key_of(pid_t tgid, int fd)
{
	return (uint64_t)(uint32_t)tgid << 32 | (uint32_t)fd;
}

static struct fd_name *known(const struct fd_names *n, pid_t tgid, int fd)
{
	uint32_t i = u64map__get(&n->by_fd, key_of(tgid, fd));

	return i == U64MAP_NONE ? NULL : &n->names[i];
}

/* Returns the entry of a descriptor, which is made if it is new. NULL: no memory. */
static struct fd_name *entry_of(struct fd_names *n, pid_t tgid, int fd)
{
	uint32_t *slot;

	if (n->cnt == n->cap) {
		size_t cap = n->cap ? 2 * n->cap : 64;
		void *more = realloc(n->names, cap * sizeof(*n->names));

		if (!more)
			return NULL;
		n->names = more;
		n->cap = cap;
	}
	slot = u64map__slot(&n->by_fd, key_of(tgid, fd));
	if (!slot)
		return NULL;
	if (*slot == U64MAP_NONE) {
		*slot = (uint32_t)n->cnt;
		n->names[n->cnt++] = (struct fd_name){};
	}
	return &n->names[*slot];
}

/* Sets the name of a descriptor's new file, which is copied; NULL: forgets the file. */
static void set_name(struct fd_names *n, pid_t tgid, int fd, const char *name)
{
	struct fd_name *e = name ? entry_of(n, tgid, fd) : known(n, tgid, fd);
	/* The name may be that of another entry. */
	char *copy = name ? strdup(name) : NULL;

	if (e) {
		forget(e);
		e->name = copy;
	} else {
		free(copy);
	}
}

/* Has the socket lost its addresses, by the other end? It is known by those that it had. */
static bool has_ended(const struct strace_file *now, const struct strace_file *before)
{
	return now->family == before->family &&
	       ((before->remote_port && !now->local_port) || (before->peer_ino && !now->peer_ino));
}

void fd_names__note(struct fd_names *n, pid_t tgid, const struct strace_file *f)
{
	struct fd_name *e = entry_of(n, tgid, f->fd);

	if (!e)
		return;
	if (e->file && e->file->ino != f->ino)
		forget(e);
	if (!e->file)
		e->file = calloc(1, sizeof(*e->file));
	if (e->file && !has_ended(f, e->file))
		*e->file = *f;
}

/* Returns the descriptor from which a process has inherited one that no call has shown. */
static const struct fd_name *inherited(const struct fd_names *n, pid_t tgid, int fd)
{
	uint32_t parent = (uint32_t)tgid;
	const struct fd_name *e = NULL;
	int depth;

	for (depth = 0; !e && depth < MAX_DEPTH; depth++) {
		parent = u64map__get(&n->parents, parent);
		if (parent == U64MAP_NONE)
			break;
		e = known(n, (pid_t)parent, fd);
	}
	return e;
}

const struct strace_file *fd_names__file(const struct fd_names *n, pid_t tgid, int fd)
{
	const struct fd_name *e = known(n, tgid, fd);

	if (!e)
		e = inherited(n, tgid, fd);
	return e ? e->file : NULL;
}

pid_t fd_names__pid(const struct fd_names *n, pid_t tgid, int fd)
{
	const struct fd_name *e = known(n, tgid, fd);
	char path[64], line[128];
	int pid = 0;
	FILE *info;

	if (e && e->pid)
		return e->pid;
	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", tgid, fd);
	info = fopen(path, "re");
	if (!info)
		return 0;
	while (fgets(line, sizeof(line), info) && sscanf(line, "Pid: %d", &pid) != 1)
		;
	fclose(info);
	return pid > 0 ? pid : 0;
}

/* The name is that of /proc or of the parent if no call has shown it. */
const char *fd_names__get(struct fd_names *n, pid_t tgid, int fd)
{
	struct fd_name *e = known(n, tgid, fd);
	char path[64], target[PATH_MAX];
	const struct fd_name *from;
	ssize_t len;

	if (e && e->name)
		return e->name;
	if (fd == CWD)
		snprintf(path, sizeof(path), "/proc/%d/cwd", tgid);
	else
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", tgid, fd);
	len = readlink(path, target, sizeof(target) - 1);
	if (len > 0) {
		target[len] = '\0';
		e = entry_of(n, tgid, fd);
		if (e && !e->name)
			e->name = strdup(target);
		return e ? e->name : NULL;
	}
	from = inherited(n, tgid, fd);
	return from ? from->name : NULL;
}

void fd_names__add_process(struct fd_names *n, pid_t tgid)
{
	struct dirent *entry;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", tgid);
	dir = opendir(path);
	if (!dir)
		return;
	fd_names__get(n, tgid, CWD);
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			fd_names__get(n, tgid, atoi(entry->d_name));
	closedir(dir);
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

/* The names of files that have none in a directory, by the call that makes them. */
static const struct {
	const char *call, *name;
} anonymous[] = {
	{ "epoll_create", "anon_inode:[eventpoll]" },
	{ "epoll_create1", "anon_inode:[eventpoll]" },
	{ "eventfd", "anon_inode:[eventfd]" },
	{ "eventfd2", "anon_inode:[eventfd]" },
	{ "fanotify_init", "anon_inode:[fanotify]" },
	{ "inotify_init", "anon_inode:inotify" },
	{ "inotify_init1", "anon_inode:inotify" },
	{ "io_uring_setup", "anon_inode:[io_uring]" },
	{ "perf_event_open", "anon_inode:[perf_event]" },
	{ "pidfd_open", "anon_inode:[pidfd]" },
	{ "signalfd", "anon_inode:[signalfd]" },
	{ "signalfd4", "anon_inode:[signalfd]" },
	{ "timerfd_create", "anon_inode:[timerfd]" },
	{ "userfaultfd", "anon_inode:[userfaultfd]" },
};

static const char *anonymous_name(const char *call)
{
	size_t i;

	for (i = 0; i < sizeof(anonymous) / sizeof(anonymous[0]); i++)
		if (strcmp(anonymous[i].call, call) == 0)
			return anonymous[i].name;
	return NULL;
}

static void copy_fd(struct fd_names *n, pid_t tgid, int from, int to)
{
	const char *name = fd_names__get(n, tgid, from);
	struct fd_name *e;
	pid_t pid;

	if (from == to)
		return;
	e = known(n, tgid, from);
	pid = e ? e->pid : 0;
	set_name(n, tgid, to, name);
	e = known(n, tgid, to);
	if (e)
		e->pid = pid;
}

/* A file in memory has the name that its creator gave it. */
static void learn_memfd(struct fd_names *n, const struct call_view *v, pid_t tgid, int fd)
{
	char name[300];
	size_t sz;
	const char *text = view__part(v, 0, 0, &sz);

	if (!text || strnlen(text, sz) == sz) {
		set_name(n, tgid, fd, NULL);
		return;
	}
	snprintf(name, sizeof(name), "/memfd:%s (deleted)", text);
	set_name(n, tgid, fd, name);
}

/* Learns the file of a new descriptor. */
static void learn_new(struct fd_names *n, const struct call_view *v, pid_t tgid, int fd)
{
	bool is_at = strncmp(v->call->name, "openat", 6) == 0;
	struct fd_name *e;
	size_t sz;
	const char *path;

	if (is_at || is_call(v, "open") || is_call(v, "creat")) {
		path = view__part(v, is_at ? 1 : 0, 0, &sz);
		if (path && strnlen(path, sz) < sz)
			set_path(n, tgid, fd, is_at ? (int)v->args[0] : CWD, path);
		else
			set_name(n, tgid, fd, NULL);
	} else if (strncmp(v->call->name, "dup", 3) == 0 || is_call(v, "fcntl")) {
		copy_fd(n, tgid, (int)v->args[0], fd);
	} else if (is_call(v, "memfd_create")) {
		learn_memfd(n, v, tgid, fd);
	} else {
		set_name(n, tgid, fd, anonymous_name(v->call->name));
		e = is_call(v, "pidfd_open") ? known(n, tgid, fd) : NULL;
		if (e)
			e->pid = (pid_t)v->args[0];
	}
}

void fd_names__before(struct fd_names *n, const struct call_view *v)
{
	pid_t tgid = (pid_t)v->rec->head.tgid;
	const struct call_desc *d = v->call->desc;
	const int *pair;

	if (!d || !v->returned || v->err)
		return;
	if (is_call(v, "pipe2") || is_call(v, "pipe") || is_call(v, "socketpair")) {
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

void fd_names__opened(struct fd_names *n, const struct call_view *v)
{
	const struct call_desc *d = v->call->desc;

	if (d && (d->ret == ret_fd || (d->ret == ret_fcntl &&
				       (v->args[1] == F_DUPFD || v->args[1] == F_DUPFD_CLOEXEC))))
		learn_new(n, v, (pid_t)v->rec->head.tgid, (int)v->ret);
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

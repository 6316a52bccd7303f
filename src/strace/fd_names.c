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

#include "strace/fd_table.h"
#include "strace/file_id.h"
#include "strace/real_dir.h"

/* The working directory of a process is kept like a descriptor. */
#define CWD AT_FDCWD
/* Generations of processes, from which one may inherit a descriptor. */
#define MAX_DEPTH 16

struct fd_names {
	struct fd_table table;
	struct u64map mounts; /* of file_id__is_open() */
};

struct fd_names *fd_names__new(void)
{
	return calloc(1, sizeof(struct fd_names));
}

void fd_names__free(struct fd_names *n)
{
	if (!n)
		return;
	fd_table__free(&n->table);
	u64map__free(&n->mounts);
	free(n);
}

static struct fd_name *known(const struct fd_names *n, pid_t tgid, int fd)
{
	return fd_table__find(&n->table, tgid, fd);
}

/* Sets the name of a descriptor's new file, which is copied; NULL: it is not known. */
static void set_name(struct fd_names *n, pid_t tgid, int fd, const char *name)
{
	struct fd_name *e = fd_table__entry(&n->table, tgid, fd);
	/* The name may be that of another entry. */
	char *copy = name ? strdup(name) : NULL;

	if (e) {
		fd_name__forget(e);
		e->name = copy;
		e->is_own = true;
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

static bool is_same(const struct strace_file *a, const struct strace_file *b)
{
	const struct file_id one = file_id__of(a), other = file_id__of(b);

	return file_id__equal(&one, &other);
}

void fd_names__note(struct fd_names *n, pid_t tgid, const struct strace_file *f)
{
	struct fd_name *e = fd_table__entry(&n->table, tgid, f->fd);

	if (!e)
		return;
	if (e->file && !is_same(e->file, f)) {
		fd_name__forget(e);
		e->is_own = true;
	}
	if (!e->file)
		e->file = calloc(1, sizeof(*e->file));
	if (e->file && !has_ended(f, e->file))
		*e->file = *f;
}

/* Returns the descriptor from which a process has inherited one that no call has shown. */
static const struct fd_name *inherited(const struct fd_names *n, pid_t tgid, int fd)
{
	uint32_t parent = (uint32_t)tgid;
	const struct fd_name *e = known(n, tgid, fd);
	int depth;

	if (e && e->is_own)
		return NULL;
	e = NULL;
	for (depth = 0; !e && depth < MAX_DEPTH; depth++) {
		parent = u64map__get(&n->table.parents, parent);
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
	unsigned long long pid;
	char proc[32];

	if (e && e->pid)
		return e->pid;
	snprintf(proc, sizeof(proc), "/proc/%d", tgid);
	/* That of a process which has ended is -1. */
	file_id__told(proc, fd, "Pid: %llu", &pid);
	return (pid_t)pid > 0 ? (pid_t)pid : 0;
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
		e = fd_table__entry(&n->table, tgid, fd);
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

/*
 * Takes "." and slashes that add nothing out of a path that begins with a slash. Behind a link ".."
 * leads elsewhere than the text before it, and the file system is not asked about links.
 */
static void normalize(char *path)
{
	char *to = path;
	const char *at = path;
	size_t len;

	for (at += strspn(at, "/"); *at; at += strspn(at, "/")) {
		len = strcspn(at, "/");
		if (len != 1 || at[0] != '.') {
			*to++ = '/';
			memmove(to, at, len);
			to += len;
		}
		at += len;
	}
	if (to == path)
		*to++ = '/';
	*to = '\0';
}

/* Adds a path to that of its directory, NULL: unknown. Returns whether the result is known. */
static bool join(char *to, size_t sz, const char *base, const char *path)
{
	if (path[0] == '/')
		base = "";
	/* The number may be a pipe's by now. */
	if (!base || (*base && *base != '/') || snprintf(to, sz, "%s/%s", base, path) >= (int)sz)
		return false;
	normalize(to);
	return true;
}

/*
 * Sets the name of a path that is relative to a descriptor. It is that of /proc, without links, if
 * the descriptor still has the file that the kernel saw there. The path itself is a traced
 * program's: whoever looks at it may wait for autofs or a server, or be in another root.
 */
static void set_path(struct fd_names *n, pid_t tgid, int fd, int dirfd, const char *path,
		     const struct strace_file *now)
{
	char joined[2 * PATH_MAX];
	const char *base;
	struct file_id id;

	id = now ? file_id__of(now) : (struct file_id){ .ino = 0 };
	if (now && file_id__is_open(&n->mounts, tgid, fd, &id)) {
		set_name(n, tgid, fd, NULL);
		if (fd_names__get(n, tgid, fd))
			return;
	}
	base = path[0] == '/' ? NULL : fd_names__get(n, tgid, dirfd);
	set_name(n, tgid, fd, join(joined, sizeof(joined), base, path) ? joined : NULL);
}

/*
 * Sets the working directory: it has no links. By the time that the call is printed, /proc may have
 * that of a later one, and the base of the path is not read there.
 */
static void set_dir(struct fd_names *n, pid_t tgid, const char *path)
{
	const struct fd_name *base = known(n, tgid, CWD);
	char joined[2 * PATH_MAX], real[PATH_MAX];
	bool is_known;

	if (!base || !base->name)
		base = inherited(n, tgid, CWD);
	is_known = join(joined, sizeof(joined), base ? base->name : NULL, path);
	set_name(n, tgid, CWD,
		 is_known && real_dir__find(tgid, joined, real, sizeof(real)) ? real : NULL);
	if (!fd_names__get(n, tgid, CWD) && is_known)
		set_name(n, tgid, CWD, joined);
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
			set_path(n, tgid, fd, is_at ? (int)v->args[0] : CWD, path,
				 view__file(v, fd));
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

	fd_table__sweep(&n->table);
	if (!d || !v->returned || v->err)
		return;
	if (is_call(v, "pipe2") || is_call(v, "pipe") || is_call(v, "socketpair")) {
		pair = view__struct(v, is_call(v, "socketpair") ? 3 : 0, 8);
		if (!pair)
			return;
		set_name(n, tgid, pair[0], NULL);
		set_name(n, tgid, pair[1], NULL);
	} else if (d->flags & STRACE_FORKS) {
		uint32_t *slot = u64map__slot(&n->table.parents, (uint64_t)v->ret);

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
			set_dir(n, tgid, path);
	} else if (is_call(v, "fchdir")) {
		set_name(n, tgid, CWD, fd_names__get(n, tgid, (int)v->args[0]));
	}
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "util/log.h"

/* The kernel follows no more, either (MAXSYMLINKS). */
#define LINKS_MAX 40
/* Names of a path and of its links, in all: links are their owner's, each name is a system call. */
#define COMPONENTS_MAX 256

/*
 * A file that is not there, or not for bpfperf, has no names; that this process has no room to open
 * one is another reason, and is reported once. Returns fd.
 */
static int check_room(int fd)
{
	static bool is_reported;

	if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM) &&
	    !__atomic_exchange_n(&is_reported, true, __ATOMIC_RELAXED))
		log_warn("files cannot be opened: %s; names are missing: see `ulimit -n`",
			 strerror(errno));
	return fd;
}

/* openat2() exists since 5.6, which is older than any supported kernel. */
static int probe_in(int root_fd, const char *path, uint64_t flags)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC | flags,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};

	return check_room((int)syscall(SYS_openat2, root_fd, path, &how, sizeof(how)));
}

int root__open_probed(int probe)
{
	char self[64];
	struct stat st;
	int fd = -1;

	if (!fstat(probe, &st) && S_ISREG(st.st_mode)) {
		snprintf(self, sizeof(self), "/proc/self/fd/%d", probe);
		/* Without O_NONBLOCK a lease (fcntl(2)) makes open(2) wait, for 45 s by default. */
		fd = check_room(open(self, O_RDONLY | O_NONBLOCK | O_CLOEXEC));
	}
	close(probe);
	return fd;
}

/*
 * Opens the last component alone: it is not mounted when it exists. autofs makes the names of its
 * directories when they are looked up, and mounts these at once; an answer from the cache is
 * mounted already.
 */
static int step_into(int dir_fd, const char *name)
{
	struct open_how how = { .flags = O_PATH | O_NOFOLLOW | O_CLOEXEC };
	struct statfs fs;

	if (fstatfs(dir_fd, &fs))
		return -1;
	/* Since 5.12: 99668f618062 (fs: expose LOOKUP_CACHED through openat2() RESOLVE_CACHED). */
	if (fs.f_type == AUTOFS_SUPER_MAGIC)
		how.resolve = RESOLVE_CACHED;
	return check_room((int)syscall(SYS_openat2, dir_fd, name, &how, sizeof(how)));
}

/*
 * Opens a path of which the kernel has all components in its cache, as those of a mapped file are.
 * Nothing is mounted for it. -1: ENOENT, or another error, with which it may be there yet.
 */
static int probe_cached(int root_fd, const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
		.resolve = RESOLVE_CACHED | RESOLVE_NO_SYMLINKS,
	};

	if (root_fd >= 0)
		how.resolve |= RESOLVE_IN_ROOT;
	return (int)syscall(SYS_openat2, root_fd < 0 ? AT_FDCWD : root_fd, path, &how, sizeof(how));
}

static int probe_by_steps(int root_fd, const char *path)
{
	int at = check_room(root_fd < 0 ? open("/", O_PATH | O_CLOEXEC)
					: fcntl(root_fd, F_DUPFD_CLOEXEC, 0));
	char name[NAME_MAX + 1];
	int next;

	for (path += strspn(path, "/"); *path && at >= 0; path += strspn(path, "/")) {
		size_t len = strcspn(path, "/");

		next = -1;
		errno = ENAMETOOLONG;
		if (len < sizeof(name)) {
			memcpy(name, path, len);
			name[len] = '\0';
			next = step_into(at, name);
		}
		close(at);
		at = next;
		path += len;
	}
	return at;
}

int root__probe_mounted(int root_fd, const char *path)
{
	int fd = probe_cached(root_fd, path);

	return fd >= 0 || errno == ENOENT ? fd : probe_by_steps(root_fd, path);
}

int root__probe(int root_fd, const char *path)
{
	return root_fd < 0 ? check_room(open(path, O_PATH | O_CLOEXEC))
			   : probe_in(root_fd, path, 0);
}

int root__open(int root_fd, const char *path)
{
	int probe = root__probe(root_fd, path);

	return probe < 0 ? -1 : root__open_probed(probe);
}

int root__open_mounted(int root_fd, const char *path)
{
	int probe = root__probe_mounted(root_fd, path);

	return probe < 0 ? -1 : root__open_probed(probe);
}

/* A path that is followed: `at` leads to a directory without links, `rest` is to be added. */
struct walk {
	char at[PATH_MAX], rest[PATH_MAX];
	int links, names;
};

/* Puts the target of a link in the place of its name, the last one of w->at. */
static int follow(struct walk *w, int link_fd)
{
	char target[PATH_MAX], rest[PATH_MAX];
	ssize_t len = readlinkat(link_fd, "", target, sizeof(target) - 1);

	if (len < 0 || ++w->links > LINKS_MAX)
		return -1;
	target[len] = '\0';
	*(target[0] == '/' ? w->at : strrchr(w->at, '/')) = '\0';
	if (snprintf(rest, sizeof(rest), "%s/%s", target, w->rest) >= (int)sizeof(rest))
		return -1;
	memcpy(w->rest, rest, sizeof(rest));
	return 0;
}

/* Takes the next name but "." from w->rest. Returns its length; 0: there is none, -1: too many. */
static int next_name(struct walk *w, char *name)
{
	char *at = w->rest;
	size_t len;

	do {
		at += strspn(at, "/");
		len = strcspn(at, "/");
		if (len > NAME_MAX || (len && ++w->names > COMPONENTS_MAX))
			return -1;
		memcpy(name, at, len);
		name[len] = '\0';
		at += len;
	} while (!strcmp(name, "."));
	memmove(w->rest, at, strlen(at) + 1);
	return (int)len;
}

/* Adds the next name, or takes away one. 0; 1: there was none; -1: a path or a name is too long. */
static int take_name(struct walk *w)
{
	char name[NAME_MAX + 1], *up;
	size_t at_len = strlen(w->at);
	int len = next_name(w, name);

	if (len <= 0)
		return len ? -1 : 1;
	if (!strcmp(name, "..")) {
		up = strrchr(w->at, '/');
		*(up ? up : w->at) = '\0';
		return 0;
	}
	if (at_len + (size_t)len + 1 >= sizeof(w->at))
		return -1;
	w->at[at_len] = '/';
	memcpy(w->at + at_len + 1, name, (size_t)len + 1);
	return 0;
}

static int probe_at(int root_fd, const struct walk *w)
{
	return root__probe_mounted(root_fd, w->at[0] ? w->at : "/");
}

int root__probe_linked(int root_fd, const char *path)
{
	struct walk w = { .links = 0 };
	struct stat st;
	int fd = -1, err;

	if (snprintf(w.rest, sizeof(w.rest), "%s", path) >= (int)sizeof(w.rest))
		return -1;
	while (!(err = take_name(&w))) {
		if (fd >= 0)
			close(fd);
		fd = probe_at(root_fd, &w);
		if (fd < 0 || fstat(fd, &st))
			break;
		if (!S_ISLNK(st.st_mode))
			continue;
		if (follow(&w, fd))
			break;
		close(fd);
		fd = -1;
	}
	/* Nothing was left of a path, or of the last link, but the directory that it began in. */
	if (err == 1)
		return fd < 0 ? probe_at(root_fd, &w) : fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

int root__open_linked(int root_fd, const char *path)
{
	int probe = root__probe_linked(root_fd, path);

	return probe < 0 ? -1 : root__open_probed(probe);
}

int root__open_probed_owned(int probe, unsigned int uid)
{
	struct stat st;

	if (probe < 0)
		return -1;
	if (!fstat(probe, &st) && (st.st_uid == uid || st.st_uid == 0))
		return root__open_probed(probe);
	close(probe);
	return -1;
}

int root__open_owned(int root_fd, const char *path, unsigned int uid)
{
	return root__open_probed_owned(probe_in(root_fd, path, O_NOFOLLOW), uid);
}

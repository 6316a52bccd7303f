// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/log.h"

#define ROOT_MODE 0600

/* Refused: neither is returned for a file by open(2) itself. */
#define IS_LINK (-EMLINK)
#define IS_FOREIGN (-EUCLEAN)

/* Returns the id that sudo left in the environment; 0: there is none. */
static unsigned int sudo_id(const char *name)
{
	const char *text = getenv(name);
	unsigned long id;
	char *end;

	if (!text || *text < '0' || *text > '9')
		return 0;
	id = strtoul(text, &end, 10);
	return *end || id >= UINT_MAX ? 0 : (unsigned int)id;
}

static bool is_own(uid_t uid)
{
	return uid == geteuid() || uid == sudo_id("SUDO_UID");
}

/* May another user place files in this directory? */
static bool is_shared(const struct stat *dir)
{
	return !is_own(dir->st_uid) || (dir->st_mode & (S_IWGRP | S_IWOTH));
}

/* A directory on the way to the file. */
struct place {
	int fd;
	struct stat st;
};

/* openat(2): the fd or -errno. */
static int open_in(int dir_fd, const char *name, int flags)
{
	int fd = openat(dir_fd, name, flags | O_CLOEXEC, ROOT_MODE);

	return fd < 0 ? -errno : fd;
}

static bool is_link(int dir_fd, const char *name)
{
	struct stat st;

	return !fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISLNK(st.st_mode);
}

static int enter(struct place *at, const char *name)
{
	bool follow = at->fd < 0 || !is_shared(&at->st);
	int fd = open_in(at->fd >= 0 ? at->fd : AT_FDCWD, name,
			 O_PATH | O_DIRECTORY | (follow ? 0 : O_NOFOLLOW));

	if (fd < 0)
		return !follow && is_link(at->fd, name) ? IS_LINK : fd;
	if (at->fd >= 0)
		close(at->fd);
	at->fd = fd;
	return fstat(fd, &at->st) ? -errno : 0;
}

/*
 * Enters the directory of the file, one by one: a link in a directory of another user could lead
 * anywhere. The last component, or NULL and *err.
 */
static const char *enter_all(struct place *at, const char *path, int *err)
{
	char name[NAME_MAX + 1];
	const char *end;

	*err = enter(at, *path == '/' ? "/" : ".");
	for (; !*err; path = end) {
		path += strspn(path, "/");
		end = path + strcspn(path, "/");
		if (!end[strspn(end, "/")])
			return path;
		if ((size_t)(end - path) >= sizeof(name)) {
			*err = -ENAMETOOLONG;
			break;
		}
		memcpy(name, path, (size_t)(end - path));
		name[end - path] = '\0';
		*err = enter(at, name);
	}
	return NULL;
}

/*
 * Opens an existing file of a directory into which others may place files. It is looked at before
 * it is opened, and by its inode: opening a device or a named pipe has effects.
 */
static int open_shared(const struct place *at, const char *name, int flags)
{
	int seen = open_in(at->fd, name, O_PATH | O_NOFOLLOW), fd;
	struct stat st;
	char path[32];

	if (seen < 0)
		return seen;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", seen);
	if (fstat(seen, &st))
		fd = -errno;
	else if (S_ISLNK(st.st_mode))
		fd = IS_LINK;
	else if (!is_own(st.st_uid) || (S_ISREG(st.st_mode) && st.st_nlink != 1))
		fd = IS_FOREIGN;
	else
		fd = open_in(AT_FDCWD, path, O_WRONLY | flags);
	close(seen);
	return fd;
}

/* A file that was made under sudo, in a directory of the user who called it, is for that user. */
static void give_to_caller(int fd, const struct stat *dir)
{
	uid_t uid = sudo_id("SUDO_UID");

	/* If this fails, the file stays root's, as it would be without sudo. */
	if (uid && dir->st_uid == uid && fchown(fd, uid, sudo_id("SUDO_GID")))
		return;
}

static int open_as_root(const char *path, int flags, bool *is_new)
{
	struct place at = { .fd = -1 };
	int fd;
	const char *name = enter_all(&at, path, &fd);

	if (name) {
		fd = open_in(at.fd, name, O_WRONLY | O_CREAT | O_EXCL | flags);
		*is_new = fd >= 0;
		if (*is_new)
			give_to_caller(fd, &at.st);
		else if (fd == -EEXIST && is_shared(&at.st))
			fd = open_shared(&at, name, flags);
		/* Also reached by a symbolic link to a missing file. */
		else if (fd == -EEXIST)
			fd = open_in(at.fd, name, O_WRONLY | O_CREAT | flags);
	}
	if (at.fd >= 0)
		close(at.fd);
	return fd;
}

int out_file__open(const char *path, int flags, mode_t mode, bool *is_new)
{
	int fd;

	*is_new = false;
	if (geteuid() == 0)
		return open_as_root(path, flags, is_new);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | flags, mode);
	*is_new = fd >= 0;
	if (fd < 0 && errno == EEXIST)
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, mode);
	return fd < 0 ? -errno : fd;
}

bool out_file__is_regular(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

bool out_file__may_block(int fd)
{
	struct stat st;

	return fstat(fd, &st) || S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) ||
	       (S_ISCHR(st.st_mode) && isatty(fd));
}

void out_file__log(const char *path, int err)
{
	if (err == IS_LINK)
		log_error("cannot write %s: other users may write to the directory of the symbolic "
			  "link that it is reached by; give -o a file in a directory of your own, "
			  "or redirect stdout to it",
			  path);
	else if (err == IS_FOREIGN)
		log_error("cannot write %s: another user may have placed it there; give -o a file "
			  "in a directory of your own, or redirect stdout to it",
			  path);
	else
		log_error("cannot write %s: %s; give -o a file in a directory you may write to",
			  path, strerror(-err));
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/private_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Can this user alone change or read the file? */
static bool is_private(int fd, mode_t type)
{
	struct stat st;

	return !fstat(fd, &st) && (st.st_mode & S_IFMT) == type && st.st_uid == geteuid() &&
	       !(st.st_mode & 077);
}

static int check(int fd, mode_t type)
{
	if (fd < 0)
		return -errno;
	if (is_private(fd, type))
		return fd;
	close(fd);
	return -EPERM;
}

int private_dir__open(const char *path, bool may_make)
{
	if (may_make && mkdir(path, 0700) && errno != EEXIST)
		return -errno;
	return check(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), S_IFDIR);
}

int private_dir__open_file(int dir_fd, const char *name)
{
	return check(openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), S_IFREG);
}

int private_dir__put(int dir_fd, const char *name, const struct iovec *parts, int cnt)
{
	char tmp[NAME_MAX + 1];
	ssize_t sz = 0;
	int fd, err = 0, i;

	for (i = 0; i < cnt; i++)
		sz += (ssize_t)parts[i].iov_len;
	snprintf(tmp, sizeof(tmp), "%s.%d", name, getpid());
	fd = openat(dir_fd, tmp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	if (writev(fd, parts, cnt) != sz)
		err = -EIO;
	if (close(fd) && !err)
		err = -errno;
	if (!err && renameat(dir_fd, tmp, dir_fd, name))
		err = -errno;
	if (err)
		unlinkat(dir_fd, tmp, 0);
	return err;
}

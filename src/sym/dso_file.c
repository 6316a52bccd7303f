// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/dso_file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

static int64_t to_ns(const struct statx_timestamp *ts)
{
	return ts->tv_sec * 1000000000LL + ts->tv_nsec;
}

/* The file was there, as it is now, when it was mapped. */
static bool is_old_enough(const struct dso *dso, const struct statx *st)
{
	if (to_ns(&st->stx_mtime) > dso->mapped_real_ns)
		return false;
	return !(st->stx_mask & STATX_BTIME) || to_ns(&st->stx_btime) <= dso->mapped_real_ns;
}

/*
 * File systems that give each subvolume or layer a device number of its own: stat() tells that
 * one and the mapping the one below (overlayfs before 6.8, btrfs to this day).
 */
static bool fs_has_own_devices(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && ((uint32_t)fs.f_type == OVERLAYFS_SUPER_MAGIC ||
				     (uint32_t)fs.f_type == BTRFS_SUPER_MAGIC);
}

static bool is_right(const struct dso *dso, int fd)
{
	struct statx st;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &st))
		return false;
	if (!S_ISREG(st.stx_mode) || st.stx_ino != dso->ino || !is_old_enough(dso, &st))
		return false;
	return (st.stx_dev_major == dso->maj && st.stx_dev_minor == dso->min) ||
	       fs_has_own_devices(fd);
}

/* The link of a mapping leads to the very file: it is enough that it still is the same mapping. */
static bool is_right_link(const struct dso *dso, const char *link, int fd)
{
	char path[PATH_MAX];
	struct statx st;
	ssize_t n = readlink(link, path, sizeof(path));

	if (n <= 0 || (size_t)n != strlen(dso->path) || memcmp(path, dso->path, (size_t)n))
		return false;
	if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &st))
		return false;
	if (!S_ISREG(st.stx_mode) || !is_old_enough(dso, &st))
		return false;
	return st.stx_ino == dso->ino || fs_has_own_devices(fd);
}

/*
 * Looked at before it is opened: what stands under a path of a foreign root
 * may be a device or a pipe.
 */
static int open_checked(const struct dso *dso, const char *path, bool is_link)
{
	int probe = open(path, O_PATH | O_CLOEXEC), fd = -1;
	char self[64];

	if (probe < 0)
		return -1;
	if (is_link ? is_right_link(dso, path, probe) : is_right(dso, probe)) {
		snprintf(self, sizeof(self), "/proc/self/fd/%d", probe);
		fd = open(self, O_RDONLY | O_CLOEXEC);
	}
	close(probe);
	return fd;
}

int dso_file__open(const struct dso *dso, const struct dso_site *site)
{
	char path[PATH_MAX + 64];
	int fd;

	if (site && site->pid > 0) {
		snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, site->pid,
			 site->start, site->end);
		fd = open_checked(dso, path, true);
		if (fd >= 0)
			return fd;
		snprintf(path, sizeof(path), "/proc/%d/root%s", site->pid, dso->path);
		fd = open_checked(dso, path, false);
		if (fd >= 0)
			return fd;
	}
	return open_checked(dso, dso->path, false);
}

bool dso_file__in_our_root(const struct dso *dso)
{
	struct stat st;

	return !stat(dso->path, &st) && st.st_ino == dso->ino &&
	       st.st_dev == makedev(dso->maj, dso->min);
}

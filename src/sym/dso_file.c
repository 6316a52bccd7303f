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

#include "sym/build_id_cache.h"
#include "sym/read_elf.h"
#include "sym/root.h"
#include "sym/sym.h"
#include "host/proc_task.h"

static int64_t to_ns(const struct statx_timestamp *ts)
{
	return ts->tv_sec * 1000000000LL + ts->tv_nsec;
}

/*
 * True if the file existed in its present state when it was mapped. A write updates both times:
 * users can set mtime, even to the future; ctime also changes on rename and unlink.
 */
static bool is_old_enough(const struct dso *dso, const struct statx *st)
{
	if (to_ns(&st->stx_mtime) > dso->mapped_real_ns &&
	    to_ns(&st->stx_ctime) > dso->mapped_real_ns)
		return false;
	return !(st->stx_mask & STATX_BTIME) || to_ns(&st->stx_btime) <= dso->mapped_real_ns;
}

/*
 * Some file systems give each subvolume or layer its own device number, which stat() reports, while
 * the mapping shows that of the underlying device (overlayfs before 6.8, btrfs in all versions).
 */
static bool fs_has_own_devices(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && ((uint32_t)fs.f_type == OVERLAYFS_SUPER_MAGIC ||
				     (uint32_t)fs.f_type == BTRFS_SUPER_MAGIC);
}

bool dso_file__is_memfd(const struct dso *dso)
{
	return !strncmp(dso->path, "/memfd:", 7);
}

/* A JIT compiler keeps writing to it. */
static bool is_growing(const struct dso *dso)
{
	return dso->kind == DSO_DUMP || dso_file__is_memfd(dso);
}

static bool has_build_id(int fd, const struct sym_build_id *want)
{
	struct elf_heads heads;

	return !read_elf__heads(READER_NAMES, fd, &heads) && build_id__equal(&heads.build_id, want);
}

static bool is_right(const struct dso *dso, int fd)
{
	struct statx st;

	/* If the build id can be read, it decides alone. */
	if (dso->want_id.len)
		return true;
	if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &st))
		return false;
	if (!S_ISREG(st.stx_mode) || (dso->kind != DSO_DUMP && !is_old_enough(dso, &st)))
		return false;
	if (!dso->ino)
		return true;
	if (st.stx_ino != dso->ino)
		return false;
	return (st.stx_dev_major == dso->maj && st.stx_dev_minor == dso->min) ||
	       fs_has_own_devices(fd);
}

/* Compares paths without the suffix that the kernel appends to deleted files. */
static bool is_same_path(const char *a, const char *b)
{
	size_t a_len = strlen(a), b_len = strlen(b), len = a_len < b_len ? a_len : b_len;

	return !strncmp(a, b, len) &&
	       (a_len == b_len || !strcmp(a + len, " (deleted)") || !strcmp(b + len, " (deleted)"));
}

/* The link in map_files leads to the mapped file itself, wherever it is now. */
static bool is_right_link(const struct dso *dso, const char *link, int fd)
{
	char path[PATH_MAX];
	struct statx st;
	ssize_t n;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &st))
		return false;
	if (!is_growing(dso) && !is_old_enough(dso, &st))
		return false;
	if (st.stx_ino == dso->ino && st.stx_dev_major == dso->maj && st.stx_dev_minor == dso->min)
		return true;
	n = readlink(link, path, sizeof(path) - 1);
	if (n <= 0 || !fs_has_own_devices(fd))
		return false;
	path[n] = '\0';
	return is_same_path(path, dso->path);
}

/* Opens the file of `probe`, an O_PATH descriptor that is closed here. */
static int open_probed(const struct dso *dso, int probe)
{
	int fd = root__open_probed(probe);

	if (fd >= 0 && dso->want_id.len && !has_build_id(fd, &dso->want_id)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* A path below a foreign root may be a device or a pipe: root__open_probed() opens neither. */
static int open_checked(const struct dso *dso, int probe, const char *link)
{
	if (probe < 0)
		return -1;
	if (link ? is_right_link(dso, link, probe) : is_right(dso, probe))
		return open_probed(dso, probe);
	close(probe);
	return -1;
}

/* Opens a path below the root of a process, as the kernel reported it. */
static int probe_below_process(int32_t tid, const char *path)
{
	char root[64];
	int root_fd, fd;

	snprintf(root, sizeof(root), "/proc/%d/root", tid);
	root_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root_fd < 0)
		return -1;
	fd = root__probe_mounted(root_fd, path);
	close(root_fd);
	return fd;
}

/* A recording names files as it likes, and nothing waits for it. */
static int probe_path(const struct dsos *dsos, int root_fd, const char *path)
{
	return dsos->offline ? root__probe(root_fd, path) : root__probe_mounted(root_fd, path);
}

static int open_by_thread(const struct dso *dso, const struct dso_site *site, int32_t tid)
{
	char path[PATH_MAX + 64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, tid, site->start,
		 site->end);
	fd = open_checked(dso, open(path, O_PATH | O_CLOEXEC), path);
	if (fd >= 0)
		return fd;
	return open_checked(dso, probe_below_process(tid, dso->path), NULL);
}

static int open_by_process(const struct dso *dso, const struct dso_site *site)
{
	int fd = open_by_thread(dso, site, site->pid);
	int32_t speaker = fd < 0 ? proc_task__live_thread(site->pid) : site->pid;

	return speaker == site->pid ? fd : open_by_thread(dso, site, speaker);
}

/* A copy of the tree has other inodes and times. */
static int open_below_symfs(const struct dsos *dsos, const struct dso *dso)
{
	int probe = root__probe(dsos->roots.roots[dsos->symfs].fd, dso->path);

	return probe < 0 ? -1 : open_probed(dso, probe);
}

/* The file may have been replaced since, or be of another machine, or be a vDSO. */
static int open_cached(const struct dso *dso)
{
	int fd = dso->want_id.len ? build_id_cache__open(&dso->want_id) : -1;

	if (fd >= 0 && !has_build_id(fd, &dso->want_id)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

int dso_file__open(const struct dsos *dsos, const struct dso *dso, const struct dso_site *site)
{
	int fd = -1;
	uint8_t i;

	if (dso->path[0] != '/')
		return dsos->offline ? open_cached(dso) : -1;
	if (dsos->symfs) {
		fd = open_below_symfs(dsos, dso);
		return fd < 0 ? open_cached(dso) : fd;
	}
	if (site && site->pid > 0)
		fd = open_by_process(dso, site);
	if (fd < 0)
		fd = open_checked(dso, probe_path(dsos, -1, dso->path), NULL);
	for (i = 1; i < dsos->roots.cnt && fd < 0; i++)
		fd = open_checked(dso, probe_path(dsos, dsos->roots.roots[i].fd, dso->path), NULL);
	return fd < 0 && dsos->offline ? open_cached(dso) : fd;
}

bool dso_file__has_changed(const struct dso *dso)
{
	const char *path = dso->fd >= 0 ? "" : dso->path;
	struct statx st;

	/* The build id identifies the file, whenever it was written. */
	return !dso->want_id.len &&
	       !statx(dso->fd, path, AT_EMPTY_PATH | AT_NO_AUTOMOUNT,
		      STATX_BASIC_STATS | STATX_BTIME, &st) &&
	       (!dso->ino || st.stx_ino == dso->ino) && !is_old_enough(dso, &st);
}

static int64_t thread_changed_ns(int32_t tid, const struct sym_map *map)
{
	char path[PATH_MAX + 64];
	struct statx st;
	int64_t ns = 0;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, tid, map->addr,
		 map->addr + map->len);
	if (!statx(AT_FDCWD, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_CTIME, &st))
		return to_ns(&st.stx_ctime);
	fd = probe_below_process(tid, map->path);
	if (fd < 0)
		return 0;
	if (!statx(fd, "", AT_STATX_DONT_SYNC | AT_EMPTY_PATH, STATX_CTIME | STATX_INO, &st) &&
	    st.stx_ino == map->ino)
		ns = to_ns(&st.stx_ctime);
	close(fd);
	return ns;
}

int64_t dso_file__changed_ns(int32_t pid, const struct sym_map *map)
{
	int64_t ns = thread_changed_ns(pid, map);
	int32_t speaker = ns ? pid : proc_task__live_thread(pid);

	return speaker == pid ? ns : thread_changed_ns(speaker, map);
}

bool dso_file__in_our_root(const struct dso *dso, bool any_device)
{
	int fd = root__probe_mounted(-1, dso->path);
	struct stat st;
	bool is_it = false;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && st.st_ino == dso->ino)
		is_it = st.st_dev == makedev(dso->maj, dso->min) ||
			(any_device && fs_has_own_devices(fd));
	close(fd);
	return is_it;
}

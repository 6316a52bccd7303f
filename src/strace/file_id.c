// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "strace/file_id.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "strace/call.h"
#include "util/fs.h"

static bool is_device(unsigned int mode)
{
	return S_ISCHR(mode) || S_ISBLK(mode);
}

struct file_id file_id__of(const struct strace_file *f)
{
	return (struct file_id){ f->ino, f->dev, is_device(f->mode) };
}

bool file_id__equal(const struct file_id *a, const struct file_id *b)
{
	return a->ino == b->ino && a->dev == b->dev && a->is_device == b->is_device;
}

bool file_id__told(const char *proc, int fd, const char *format, unsigned long long *number)
{
	char path[64], line[128];
	FILE *info;

	*number = 0;
	snprintf(path, sizeof(path), "%s/fdinfo/%d", proc, fd);
	info = fopen(path, "re");
	if (!info)
		return false;
	while (fgets(line, sizeof(line), info) && sscanf(line, format, number) != 1)
		;
	fclose(info);
	return true;
}

/* Asks the file system for what it knows, without its server. */
static bool ask(const char *proc, int fd, struct statx *st)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/fd/%d", proc, fd);
	return !statx(AT_FDCWD, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_INO | STATX_TYPE,
		      st);
}

/* Before 5.14 /proc does not tell. */
static uint64_t ino_of(const char *proc, int fd)
{
	unsigned long long ino;
	struct statx st;

	if (!file_id__told(proc, fd, "ino: %llu", &ino) || ino)
		return ino;
	return ask(proc, fd, &st) ? st.stx_ino : 0;
}

/* Finds the device of the file system of a mount. Returns whether it is known. */
static bool find_mount(const char *proc, unsigned long long mnt, uint32_t *dev)
{
	char path[64], buf[8192], *line = NULL;
	unsigned long long id;
	unsigned int maj, min;
	size_t cap = 0;
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "%s/mountinfo", proc);
	file = mnt ? fs__open_lines(path, buf, sizeof(buf)) : NULL;
	while (file && !found && getline(&line, &cap, file) > 0)
		found = sscanf(line, "%llu %*u %u:%u", &id, &maj, &min) == 3 && id == mnt;
	if (found)
		*dev = maj << 20 | min;
	free(line);
	if (file)
		fclose(file);
	return found;
}

/* Is the device, or else the file system, of an open file that one? */
static bool is_on(struct u64map *mounts, const char *proc, int fd, const struct file_id *id)
{
	unsigned long long mnt;
	struct statx st;
	uint32_t *slot, dev;

	if (!id->is_device) {
		file_id__told(proc, fd, "mnt_id: %llu", &mnt);
		/* The number of a mount may be that of one which is gone: only the list denies. */
		if (u64map__get(mounts, mnt) == id->dev)
			return true;
		if (find_mount(proc, mnt, &dev)) {
			slot = u64map__slot(mounts, mnt);
			if (slot)
				*slot = dev;
			return dev == id->dev;
		}
	}
	if (!ask(proc, fd, &st) || is_device(st.stx_mode) != id->is_device)
		return false;
	return id->dev == (id->is_device ? st.stx_rdev_major << 20 | st.stx_rdev_minor
					 : st.stx_dev_major << 20 | st.stx_dev_minor);
}

bool file_id__is_open(struct u64map *mounts, pid_t tgid, int fd, const struct file_id *id)
{
	char proc[32];

	snprintf(proc, sizeof(proc), "/proc/%d", tgid);
	return ino_of(proc, fd) == id->ino && is_on(mounts, proc, fd, id);
}

int file_id__of_path(const char *path, struct file_id *id)
{
	int fd = open(path, O_PATH | O_CLOEXEC);
	unsigned long long mnt;
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st)) {
		int err = -errno;

		close(fd);
		return err;
	}
	id->ino = ino_of("/proc/self", fd);
	id->is_device = is_device(st.st_mode);
	file_id__told("/proc/self", fd, "mnt_id: %llu", &mnt);
	/* stat(2) of btrfs and overlayfs has other devices than the kernel's file system. */
	if (id->is_device || !find_mount("/proc/self", mnt, &id->dev)) {
		dev_t dev = id->is_device ? st.st_rdev : st.st_dev;

		id->dev = major(dev) << 20 | minor(dev);
	}
	close(fd);
	return 0;
}

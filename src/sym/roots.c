// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/roots.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/proc_task.h"
#include "util/log.h"

static bool stat_root(int32_t pid, struct stat *root, uint64_t *mnt_ns)
{
	char path[64];
	struct stat ns;

	snprintf(path, sizeof(path), "/proc/%d/root", pid);
	if (stat(path, root))
		return false;
	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", pid);
	if (stat(path, &ns))
		return false;
	*mnt_ns = ns.st_ino;
	return true;
}

void roots__init(struct roots *roots)
{
	struct stat st;
	uint64_t mnt_ns;

	*roots = (struct roots){ .cnt = 1 };
	roots->roots[0].fd = -1;
	if (stat_root(getpid(), &st, &mnt_ns)) {
		roots->roots[0].dev = st.st_dev;
		roots->roots[0].ino = st.st_ino;
		roots->roots[0].mnt_ns = mnt_ns;
	}
}

void roots__free(struct roots *roots)
{
	uint8_t i;

	for (i = 1; i < roots->cnt; i++)
		close(roots->roots[i].fd);
	roots->cnt = 0;
}

uint8_t roots__of_process(struct roots *roots, int32_t pid)
{
	struct stat st;
	uint64_t mnt_ns;
	char path[64];
	uint8_t i;
	int fd;

	if (!stat_root(pid, &st, &mnt_ns)) {
		pid = proc_task__live_thread(pid);
		if (!stat_root(pid, &st, &mnt_ns))
			return 0;
	}
	for (i = 0; i < roots->cnt; i++)
		if (roots->roots[i].dev == st.st_dev && roots->roots[i].ino == st.st_ino &&
		    roots->roots[i].mnt_ns == mnt_ns)
			return i;
	if (roots->cnt == ROOTS_MAX)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/root", pid);
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	roots->roots[i].dev = st.st_dev;
	roots->roots[i].ino = st.st_ino;
	roots->roots[i].mnt_ns = mnt_ns;
	roots->roots[i].fd = fd;
	return roots->cnt++;
}

uint8_t roots__open_dir(struct roots *roots, const char *path)
{
	int fd = roots->cnt < ROOTS_MAX ? open(path, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		log_warn("cannot open the directory %s (%s): files are not looked for in it", path,
			 strerror(errno));
		return 0;
	}
	roots->roots[roots->cnt].dev = st.st_dev;
	roots->roots[roots->cnt].ino = st.st_ino;
	roots->roots[roots->cnt].mnt_ns = 0;
	roots->roots[roots->cnt].fd = fd;
	return roots->cnt++;
}

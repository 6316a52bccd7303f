// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/root.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* openat2() exists since 5.6, which is older than any supported kernel. */
static int probe_in(int root_fd, const char *path, uint64_t flags)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC | flags,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};

	return (int)syscall(SYS_openat2, root_fd, path, &how, sizeof(how));
}

/* Opens a regular file by its O_PATH descriptor, which is closed. */
static int open_probed(int probe, const struct stat *st)
{
	char self[64];
	int fd = -1;

	if (S_ISREG(st->st_mode)) {
		snprintf(self, sizeof(self), "/proc/self/fd/%d", probe);
		fd = open(self, O_RDONLY | O_CLOEXEC);
	}
	close(probe);
	return fd;
}

int root__probe(int root_fd, const char *path)
{
	return root_fd < 0 ? open(path, O_PATH | O_CLOEXEC) : probe_in(root_fd, path, 0);
}

int root__open(int root_fd, const char *path)
{
	int probe = root__probe(root_fd, path);
	struct stat st;

	if (probe < 0)
		return -1;
	if (!fstat(probe, &st))
		return open_probed(probe, &st);
	close(probe);
	return -1;
}

int root__open_owned(int root_fd, const char *path, unsigned int uid)
{
	int probe = probe_in(root_fd, path, O_NOFOLLOW);
	struct stat st;

	if (probe < 0)
		return -1;
	if (!fstat(probe, &st) && (st.st_uid == uid || st.st_uid == 0))
		return open_probed(probe, &st);
	close(probe);
	return -1;
}

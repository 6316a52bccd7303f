// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "strace/real_dir.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Does the path have the number of this process? A link of /proc, such as "self", led there. */
static bool is_ours(const char *path)
{
	char pid[16];
	size_t len = (size_t)snprintf(pid, sizeof(pid), "/%d", getpid());

	while ((path = strstr(path, pid))) {
		path += len;
		if (!*path || *path == '/')
			return true;
	}
	return false;
}

static bool name_of(int fd, char *name, size_t sz)
{
	char self[64];
	ssize_t len;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	len = readlink(self, name, sz - 1);
	if (len <= 0)
		return false;
	name[len] = '\0';
	return !is_ours(name);
}

bool real_dir__find(pid_t tgid, const char *path, char *real, size_t sz)
{
	struct open_how how = {
		.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
		/* Since 5.12: 99668f618062 (fs: expose LOOKUP_CACHED through openat2()). */
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS | RESOLVE_CACHED,
	};
	char root[64];
	int root_fd, fd;
	bool found;

	snprintf(root, sizeof(root), "/proc/%d/root", tgid);
	root_fd = open(root, O_PATH | O_CLOEXEC);
	if (root_fd < 0)
		return false;
	fd = (int)syscall(SYS_openat2, root_fd, path, &how, sizeof(how));
	close(root_fd);
	if (fd < 0)
		return false;
	found = name_of(fd, real, sz);
	close(fd);
	return found;
}

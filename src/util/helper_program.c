// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/helper_program.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool helper_program__find(const char *name, char *path, size_t sz)
{
	static const char *const places[] = { "", "../libexec/bpfperf/" };
	char self[PATH_MAX], *slash;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t i;

	if (len <= 0)
		return false;
	self[len] = '\0';
	slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		snprintf(path, sz, "%s/%s%s", self, places[i], name);
		if (!access(path, X_OK))
			return true;
	}
	return false;
}

int helper_program__version(const char *path, char *buf, size_t sz)
{
	char command[4300];
	FILE *f;
	bool ok;

	snprintf(command, sizeof(command), "exec '%s' --version 2>&1", path);
	f = popen(command, "re");
	if (!f)
		return -errno;
	ok = fgets(buf, (int)sz, f);
	if (pclose(f) || !ok)
		return -ENOEXEC;
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}

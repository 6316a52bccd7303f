// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "host/proc_walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/fs.h"

/* Calls fn for each entry that is a number. */
static int walk_numbers(const char *path, proc_walk_fn fn, void *ctx)
{
	DIR *dir = opendir(path);
	struct dirent *e;
	int err = 0;

	if (!dir)
		return -errno;
	while (!err && (e = fs__next_entry(dir, &err)))
		if (atoi(e->d_name) > 0)
			err = fn(ctx, atoi(e->d_name));
	closedir(dir);
	return err;
}

int proc_walk__processes(proc_walk_fn fn, void *ctx)
{
	return walk_numbers("/proc", fn, ctx);
}

int proc_walk__threads(pid_t pid, proc_walk_fn fn, void *ctx)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	return walk_numbers(path, fn, ctx);
}

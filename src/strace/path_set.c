// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "strace/path_set.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "util/log.h"

static int add(struct path_set *set, const char *path)
{
	char *copy = strdup(path);

	if (!copy) {
		log_error("out of memory");
		return -ENOMEM;
	}
	set->paths[set->cnt++] = copy;
	return 0;
}

int path_set__add(struct path_set *set, const char *path)
{
	char real[PATH_MAX];
	int err;

	if (set->cnt + 2 > sizeof(set->paths) / sizeof(set->paths[0])) {
		log_error("-P %s: more than %d paths; give fewer", path, PATH_SET_MAX);
		return -E2BIG;
	}
	if (!file_id__of_path(path, &set->files[set->file_cnt]))
		set->file_cnt++;
	err = add(set, path);
	return err || !realpath(path, real) || strcmp(real, path) == 0 ? err : add(set, real);
}

void path_set__free(struct path_set *set)
{
	while (set->cnt)
		free(set->paths[--set->cnt]);
}

bool path_set__has(const struct path_set *set, const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < set->cnt; i++)
		if (strncmp(set->paths[i], text, len) == 0 && !set->paths[i][len])
			return true;
	return false;
}

bool path_set__has_file(const struct path_set *set, const struct strace_file *f)
{
	const struct file_id id = file_id__of(f);
	size_t i;

	for (i = 0; i < set->file_cnt; i++)
		if (file_id__equal(&set->files[i], &id))
			return true;
	return false;
}

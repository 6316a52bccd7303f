/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The paths of -P: only calls that name one of them, or use a descriptor of one, are printed. */
#ifndef BPFPERF_STRACE_PATH_SET_H
#define BPFPERF_STRACE_PATH_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "strace/file_id.h"

struct strace_file;

#define PATH_SET_MAX 64

struct path_set {
	char *paths[2 * PATH_SET_MAX]; /* each as it was given, and without links */
	size_t cnt;
	struct file_id files[2 * PATH_SET_MAX]; /* those that were there */
	size_t file_cnt;
};

/* Adds a path, which need not exist. Returns 0, or -E2BIG or -ENOMEM after one sentence. */
int path_set__add(struct path_set *set, const char *path);
void path_set__free(struct path_set *set);
/* Is this text, of len bytes without a NUL, one of the paths? */
bool path_set__has(const struct path_set *set, const char *text, size_t len);
/* Is one of the paths the name of this file, by whichever name it was opened? */
bool path_set__has_file(const struct path_set *set, const struct strace_file *f);

#endif

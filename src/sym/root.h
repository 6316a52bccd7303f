/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Opens files as another process sees them: below its root, wherever that is mounted. */
#ifndef BPFPERF_SYM_ROOT_H
#define BPFPERF_SYM_ROOT_H

#include <stdbool.h>

/*
 * Opens a regular file for reading by its absolute path; links are resolved as for a process whose
 * root is root_fd (-1: our own root) and never lead out of it. Devices and pipes are not opened. -1
 * if it cannot be opened.
 */
int root__open(int root_fd, const char *path);
/* Opens the path with O_PATH, whatever kind of file it is. */
int root__probe(int root_fd, const char *path);
/* Like root__open(), but the file must not be a link and must belong to uid or to root. */
int root__open_owned(int root_fd, const char *path, unsigned int uid);

#endif

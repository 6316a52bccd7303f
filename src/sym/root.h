/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Files as another process sees them: below its root, wherever that is mounted. */
#ifndef BPFPERF_SYM_ROOT_H
#define BPFPERF_SYM_ROOT_H

#include <stdbool.h>

/*
 * Opens a regular file for reading by its absolute path; links in it lead to where they lead for
 * that lives below root_fd (-1: our own root), never out of it. Devices and pipes are not opened.
 * -1 where it cannot be had.
 */
int root__open(int root_fd, const char *path);
/* Opens the path with O_PATH, whatever kind of file it is. */
int root__probe(int root_fd, const char *path);
/* Opens like root__open(), but the file is no link and belongs to uid or to root. */
int root__open_owned(int root_fd, const char *path, unsigned int uid);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Files as another process sees them: below its root, wherever that is mounted. */
#ifndef BPFPERF_SYM_ROOT_H
#define BPFPERF_SYM_ROOT_H

#include <stdbool.h>

/*
 * Opens a regular file for reading by its absolute path; links in it lead to where they lead for
 * who lives below root_fd (-1: our own root), never out of it. Devices and pipes are not opened.
 * -1 where it cannot be had.
 */
int root__open(int root_fd, const char *path);
/* The same for looking only (O_PATH), whatever stands there. */
int root__probe(int root_fd, const char *path);
/* As root__open(), but no link stands for the file itself, and it belongs to uid or to root. */
int root__open_owned(int root_fd, const char *path, unsigned int uid);

#endif

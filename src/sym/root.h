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
/*
 * Opens a path as the kernel reported it, without links, with O_PATH: below root_fd (-1: our own
 * root). Nothing is mounted for it: a directory on the way that autofs would have to mount first is
 * not entered, since that wait ends when the daemon of autofs answers. -1 and errno.
 */
int root__probe_mounted(int root_fd, const char *path);
/* Opens a regular file for reading by such a path. -1 if it cannot be opened. */
int root__open_mounted(int root_fd, const char *path);
/*
 * Both likewise, but links are followed, step by step and below root_fd: for paths in a root with
 * links that its owner makes.
 */
int root__probe_linked(int root_fd, const char *path);
int root__open_linked(int root_fd, const char *path);
/* Opens the path with O_PATH, whatever kind of file it is. */
int root__probe(int root_fd, const char *path);
/*
 * Opens the file of an O_PATH descriptor, which is closed, for reading. -1: it is no regular file,
 * or another process holds a lease on it (fcntl(2)); the lease is not waited for.
 */
int root__open_probed(int probe);
/* Likewise, but the file must belong to uid or to root. */
int root__open_probed_owned(int probe, unsigned int uid);
/* Like root__open(), but the file must not be a link and must belong to uid or to root. */
int root__open_owned(int root_fd, const char *path, unsigned int uid);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Small files of /proc, /sys and tracefs, read whole. */
#ifndef BPFPERF_UTIL_FS_H
#define BPFPERF_UTIL_FS_H

#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/*
 * Returns the whole file, up to 1 GiB, as a NUL-terminated string that the caller frees; NULL and
 * errno, ECANCELED if a signal asked bpfperf to stop while it waited for the writer of a pipe
 * (util/stop_signals.h). len may be NULL.
 */
char *fs__read_file(const char *path, size_t *len);
/* Reads as fs__read_file() does, from a descriptor's position on; it stays open. */
char *fs__read_fd(int fd, size_t *len);
/*
 * Opens a file for reading, a named pipe as soon as another process writes to it. A descriptor that
 * the caller closes, or -errno: -ECANCELED if a signal asked bpfperf to stop.
 */
int fs__open_waiting(const char *path);
/*
 * Returns the next entry of a directory; NULL at its end, and where it cannot be read: then *err is
 * set to -errno, which is left alone otherwise.
 */
struct dirent *fs__next_entry(DIR *dir, int *err);
/*
 * Calls pread(2), again after a signal, and keeps its error for fs__take_read_error(): its caller
 * may go on without these bytes. So do the reads of libelf and libdw, by pread(2) of this file. The
 * number of bytes, or -1 and errno.
 */
ssize_t fs__pread(int fd, void *buf, size_t sz, off_t off);
/* Returns 0, or -errno of the last fs__pread() of this thread that failed, and forgets it. */
int fs__take_read_error(void);
/*
 * Opens a text file that is read by getline(3) or fgets(3), with a buffer that outlives it: where
 * memory for one of its own lacks, stdio reads byte by byte, which takes minutes of a long file of
 * the kernel. NULL and errno.
 */
FILE *fs__open_lines(const char *path, char *buf, size_t sz);
/* The number a one-line file starts with (decimal or 0x…). 0 or -errno. */
int fs__read_long(const char *path, long *val);

#endif

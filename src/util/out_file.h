/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Opens the files that a user names for output. Root writes into directories of other users, too,
 * and what it writes tells of all of them: a file that root makes is readable by root alone, and a
 * link or a file that another user may have placed in its way is refused.
 */
#ifndef BPFPERF_UTIL_OUT_FILE_H
#define BPFPERF_UTIL_OUT_FILE_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Opens `path` for writing, and creates it if it is not there: with `mode` less the umask, or with
 * 0600 by root. `flags` are further flags of open(2), such as O_NONBLOCK for a named pipe without
 * a reader. Under sudo the user who called it counts as root's own: a new file in a directory of
 * that user belongs to that user.
 *
 * The fd, and in *is_new whether the file was created; or -errno, for out_file__log().
 */
int out_file__open(const char *path, int flags, mode_t mode, bool *is_new);
bool out_file__is_regular(int fd);
/* Can writing block on a reader? Not for a file, a disk or /dev/null. */
bool out_file__may_block(int fd);
/* Logs why out_file__open() returned -errno. */
void out_file__log(const char *path, int err);

#endif

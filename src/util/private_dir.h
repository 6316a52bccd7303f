/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A directory with files that are kept from one run to the next. This user alone can read or write
 * it: what another one could have put there is not believed.
 */
#ifndef BPFPERF_UTIL_PRIVATE_DIR_H
#define BPFPERF_UTIL_PRIVATE_DIR_H

#include <stdbool.h>
#include <sys/uio.h>

/* Root has one; other users have none. Its contents end with the boot. */
#define PRIVATE_DIR "/run/bpfperf"

/*
 * Opens the directory; may_make: makes it first if it is missing and its parent is not. A
 * descriptor that the caller closes, or -errno; -EPERM: others can write to it or read it.
 */
int private_dir__open(const char *path, bool may_make);
/* Opens a file for reading. A descriptor, or -errno; -EPERM: it is not this user's alone. */
int private_dir__open_file(int dir_fd, const char *name);
/* Writes a file of these parts, in place of another one at once or not at all. 0 or -errno. */
int private_dir__put(int dir_fd, const char *name, const struct iovec *parts, int cnt);

#endif

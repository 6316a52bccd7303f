/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Directories of traced programs, without links. */
#ifndef BPFPERF_STRACE_REAL_DIR_H
#define BPFPERF_STRACE_REAL_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Finds the directory that a path leads to below a process's root, as long as the kernel has it in
 * its cache, as that of a chdir(2): neither autofs nor a server is waited for. Returns false if it
 * is not there, or before 5.12.
 */
bool real_dir__find(pid_t tgid, const char *path, char *real, size_t sz);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Walks the existing processes and threads, by /proc. */
#ifndef BPFPERF_HOST_PROC_WALK_H
#define BPFPERF_HOST_PROC_WALK_H

#include <sys/types.h>

/* 0: go on; other values end the walk, which returns them. */
typedef int (*proc_walk_fn)(void *ctx, pid_t id);

/* Calls fn for each process. Returns 0, the value fn returned, or -errno if /proc fails. */
int proc_walk__processes(proc_walk_fn fn, void *ctx);
/*
 * Calls fn for each thread of a process, the first thread first. Returns 0, the value fn returned,
 * or -errno if the process has ended (-ENOENT) or is hidden.
 */
int proc_walk__threads(pid_t pid, proc_walk_fn fn, void *ctx);

#endif

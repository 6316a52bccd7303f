/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The processes and threads that run, by /proc. */
#ifndef BPFPERF_HOST_PROC_WALK_H
#define BPFPERF_HOST_PROC_WALK_H

#include <sys/types.h>

/* 0: go on; other values end the walk, which returns them. */
typedef int (*proc_walk_fn)(void *ctx, pid_t id);

/* Calls fn for each process. 0, what fn returned, or -errno where there is no /proc. */
int proc_walk__processes(proc_walk_fn fn, void *ctx);
/*
 * Calls fn for each thread of a process, the first among them. 0, what fn returned, or -errno where
 * the process is gone (-ENOENT) or hidden.
 */
int proc_walk__threads(pid_t pid, proc_walk_fn fn, void *ctx);

#endif

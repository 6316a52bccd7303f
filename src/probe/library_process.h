/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Files as a process has them: what it has mapped, and what it sees below its own root. */
#ifndef BPFPERF_PROBE_LIBRARY_PROCESS_H
#define BPFPERF_PROBE_LIBRARY_PROCESS_H

#include <sys/types.h>

struct library_process {
	pid_t pid; /* 0: none */
	char root[32]; /* "/proc/PID/root" if its root is another one than bpfperf's; else "" */
};

/* A process that is not there is none. */
void library_process__set(struct library_process *p, pid_t pid);
/*
 * Returns a path by which bpfperf and the kernel reach the process's file: by the name of a library
 * or program that it has mapped ("libc", "libssl.so.3"), or, if its root is another one, by an
 * absolute path there. NULL: it has none. Caller frees.
 */
char *library_process__find(const struct library_process *p, const char *name);
/*
 * Returns such a path of a file that the process runs, and that has been deleted, or replaced by
 * another one of its path: what a program is after an update. NULL: it has none. Caller frees.
 */
char *library_process__find_deleted(const struct library_process *p, const char *name);

#endif

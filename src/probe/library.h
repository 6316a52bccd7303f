/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Which file a name on the command line means. */
#ifndef BPFPERF_PROBE_LIBRARY_H
#define BPFPERF_PROBE_LIBRARY_H

#include <sys/types.h>

/*
 * From now on names mean the files of this process, where it has them: a library that it has
 * mapped; an absolute path below its root, if that is another one than bpfperf's.
 */
void library__of_process(pid_t pid);
/*
 * Returns the absolute path, without links, of a file: by its path, or by the name of a library as
 * the dynamic linker finds it ("libc.so.6", "libc"), of a program in $PATH, or of a file in the
 * working directory. A path through /proc/PID/root is not followed out of it. NULL and errno ENOENT
 * or ENOMEM. Caller frees.
 */
char *library__find(const char *name);

#endif

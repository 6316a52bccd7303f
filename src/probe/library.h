/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Which file a name on the command line means. */
#ifndef BPFPERF_PROBE_LIBRARY_H
#define BPFPERF_PROBE_LIBRARY_H

/*
 * Returns the absolute path, without links, of a file: by its path, or by the name of a library as
 * the dynamic linker finds it ("libc.so.6", "libc"), of a program in $PATH, or of a file in the
 * working directory. NULL and errno ENOENT or ENOMEM. Caller frees.
 */
char *library__find(const char *name);

#endif

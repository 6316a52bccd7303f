/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Programs of their own that bpfperf starts: they have the libraries that it is free of. */
#ifndef BPFPERF_UTIL_HELPER_PROGRAM_H
#define BPFPERF_UTIL_HELPER_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* Looks for the program beside bpfperf, then in ../libexec/bpfperf; sets path, of sz bytes. */
bool helper_program__find(const char *name, char *path, size_t sz);
/* The first line of what `path --version` prints, in buf. 0 or -errno. */
int helper_program__version(const char *path, char *buf, size_t sz);

#endif

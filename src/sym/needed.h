/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The files that a program will map when it begins, as far as its ELF headers tell. */
#ifndef BPFPERF_SYM_NEEDED_H
#define BPFPERF_SYM_NEEDED_H

/* Maximum number of files of a program. */
#define NEEDED_MAX 64

/*
 * Calls fn with the path of a program, of its interpreter (of scripts, too), and of the libraries
 * that it needs, each once. Libraries are looked for as the dynamic loader of glibc does it
 * (ld.so(8)), with LD_LIBRARY_PATH of this process; those that are not found are omitted. Since the
 * loader may find other files, this serves for preparations only.
 */
void needed__each(const char *path, void (*fn)(void *ctx, const char *path), void *ctx);

#endif

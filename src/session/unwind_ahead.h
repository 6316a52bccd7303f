/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Unwind tables of the files that a program will map, made before it begins. */
#ifndef BPFPERF_SESSION_UNWIND_AHEAD_H
#define BPFPERF_SESSION_UNWIND_AHEAD_H

struct unwind_files;

/*
 * Makes the tables of the program, its interpreter and its libraries, for use until the end. Files
 * that cannot be mapped here are omitted.
 */
void unwind_ahead__make(struct unwind_files *files, const char *program);
/*
 * Makes the tables of the C library, the dynamic loader and the vdso, which nearly every stack
 * leads through.
 */
void unwind_ahead__make_usual(struct unwind_files *files);

#endif

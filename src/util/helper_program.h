/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Programs of their own that bpfperf starts: they have the libraries that it is free of. */
#ifndef BPFPERF_UTIL_HELPER_PROGRAM_H
#define BPFPERF_UTIL_HELPER_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Looks for the program beside bpfperf, then in ../libexec/bpfperf; sets path, of sz bytes. */
bool helper_program__find(const char *name, char *path, size_t sz);

/* A program that was asked for its version, and answers while others work. */
struct helper_question {
	pid_t pid;
	int fd; /* of what it prints */
};

/* Starts `path --version`. 0 or -errno. */
int helper_program__ask(const char *path, struct helper_question *q);
/* Waits for its end: the first line of what it has printed is in buf. 0 or -errno. */
int helper_program__answer(struct helper_question *q, char *buf, size_t sz);
/* Both at once. */
int helper_program__version(const char *path, char *buf, size_t sz);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The files of a program's split DWARF (.dwo, .dwp): bpfperf opens them, a reader looks into them
 * (probe/split_units.h). The names are the program's: a file is opened only if its owner could have
 * written the program, too.
 */
#ifndef BPFPERF_PROBE_SPLIT_FILES_H
#define BPFPERF_PROBE_SPLIT_FILES_H

#include "probe/code_file.h"
#include "reader/answer.h"

/* A program, as a reader has it. */
struct split_program {
	const char *path;
	const int *fds; /* the files that come with each request */
	uint32_t fd_cnt;
	struct code_file_set has;
};

/* Opens the package of a program, PATH.dwp. -1: there is none, or it is another user's. */
int split_files__open_package(int fd, const char *path);
/*
 * Opens the files that a reader wants, and hands them to it; wants: what
 * split_units__put_wants() appended. 0; -EPROTO; or an error of reader__call().
 */
int split_files__give(const struct split_program *program, struct answer *wants);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The files of a program's split DWARF (.dwo, .dwp): bpfperf opens them, a reader looks into them
 * (sym/split_units.h). The names are the program's: a file is opened only if its owner could have
 * written the program, too.
 */
#ifndef BPFPERF_SYM_SPLIT_FILES_H
#define BPFPERF_SYM_SPLIT_FILES_H

#include <sys/types.h>

#include "reader/answer.h"
#include "sym/split_state.h"

/* A program that names such files. */
struct split_program {
	const char *path; /* seen from root_fd; of the file that was run, not of its debug file */
	int root_fd; /* of the tree that has the program and its files; -1: our own root */
	uid_t owner; /* of the file that has the names */
	/*
	 * The user named the program, and waits: links are followed, directories are mounted. Files
	 * of programs that are only seen to run are opened so if their owner is trusted.
	 */
	bool is_named;
};

/* A request by which a reader gets them: in front stand bytes and files of the caller. */
struct split_request {
	const void *head;
	size_t head_sz;
	const int *fds;
	uint32_t fd_cnt;
	/*
	 * Sends the whole: the head and an array of struct split_given; the files and those that
	 * are SPLIT_HERE. 0 or an error, which is the end.
	 */
	int (*send)(void *priv, const struct strbuf *body, const int *fds, uint32_t fd_cnt);
	void *priv;
};

/*
 * Opens the files that a reader wants, and has them sent, by several requests if they are many.
 * wants: what split_units__put_wants() appended. A package, PATH.dwp, is sent alone. 0; -EPROTO; or
 * the error of send().
 */
int split_files__give(const struct split_program *program, struct answer *wants,
		      const struct split_request *request);

#endif

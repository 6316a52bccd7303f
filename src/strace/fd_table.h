/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Names and files of descriptors, by process, as long as it may still have records. */
#ifndef BPFPERF_STRACE_FD_TABLE_H
#define BPFPERF_STRACE_FD_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "strace/view.h"
#include "util/u64map.h"

struct fd_name {
	char *name; /* NULL: unknown */
	struct strace_file *file; /* as the kernel had it last; NULL: unknown */
	pid_t pid; /* of a pidfd; 0: unknown */
	bool is_own; /* a call of the process has set it, even to what is unknown */
};

struct fd_table {
	struct u64map by_fd; /* process and descriptor → index of names */
	struct u64map parents; /* process → the one that created it */
	struct u64map gone; /* processes that had ended when it was swept last */
	struct fd_name *names;
	uint32_t *unused; /* indexes of names that have been freed */
	size_t cnt, cap, unused_cnt;
	size_t sweep_at; /* number of used entries from which on it is swept */
};

void fd_table__free(struct fd_table *t);
/* The entry of a descriptor, valid until another one is made; NULL: there is none. */
struct fd_name *fd_table__find(const struct fd_table *t, pid_t tgid, int fd);
/* The entry of a descriptor, which is made if it is new. NULL: no memory. */
struct fd_name *fd_table__entry(struct fd_table *t, pid_t tgid, int fd);
void fd_name__forget(struct fd_name *e);
/*
 * Frees entries of processes that have ended, once the table has become large: their last records
 * may come a little later, so they stay until it is swept again.
 */
void fd_table__sweep(struct fd_table *t);

#endif

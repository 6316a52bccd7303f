/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The files of descriptors, for -y and -P. A record is printed some milliseconds after its call,
 * when the descriptor may already be another file's: so names are followed from call to call, and
 * /proc is only read for descriptors that no printed call has made.
 */
#ifndef BPFPERF_STRACE_FD_NAMES_H
#define BPFPERF_STRACE_FD_NAMES_H

#include <sys/types.h>

#include "strace/view.h"

struct fd_names;

/* NULL and errno ENOMEM. */
struct fd_names *fd_names__new(void);
/* NULL is accepted. */
void fd_names__free(struct fd_names *n);
/* Learns the descriptors that a process has now. */
void fd_names__add_process(struct fd_names *n, pid_t tgid);
/* Returns the path of a descriptor's file, valid until the next call; NULL: it is not known. */
const char *fd_names__get(struct fd_names *n, pid_t tgid, int fd);
/* Notes the file that the kernel had for a descriptor: a name of another file is forgotten. */
void fd_names__note(struct fd_names *n, pid_t tgid, const struct strace_file *f);
/* Returns the last file that was noted for a descriptor; NULL: none, or a call has closed it. */
const struct strace_file *fd_names__file(const struct fd_names *n, pid_t tgid, int fd);
/* Returns the process that a pidfd stands for; 0: unknown. */
pid_t fd_names__pid(const struct fd_names *n, pid_t tgid, int fd);
/* Learns what a call that has returned has made, before it is printed; … */
void fd_names__before(struct fd_names *n, const struct call_view *v);
/* … which descriptor it returns, before its result is printed: an argument may be that, too; … */
void fd_names__opened(struct fd_names *n, const struct call_view *v);
/* … and what it has closed, after that. */
void fd_names__after(struct fd_names *n, const struct call_view *v);

#endif

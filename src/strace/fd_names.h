/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The files of descriptors, for -y. A record is printed some milliseconds after its call, when the
 * descriptor may already be another file's: so names are followed from call to call, and /proc is
 * only read for descriptors that no printed call has made.
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
/* Returns the path of a descriptor's file, valid until the next call; NULL: it is not known. */
const char *fd_names__get(struct fd_names *n, pid_t tgid, int fd);
/* Learns what a call that has returned has opened, before it is printed … */
void fd_names__before(struct fd_names *n, const struct call_view *v);
/* … and what it has closed, after that. */
void fd_names__after(struct fd_names *n, const struct call_view *v);

#endif

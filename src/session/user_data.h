/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * File names and bytes that system calls are given, in their records (6.19).
 *
 * The kernel puts them into a record after programs ran, so the program that
 * makes ours reads them itself. It cannot wait for a page that is not in
 * memory (a program's constant that nobody has looked at yet), as the kernel
 * does. From 7.2 on another program can, which runs before it and does no more
 * than that (bpf/user_data.bpf.h). Tracepoints call in the order of attaching:
 * what somebody else has attached to raw_syscalls:sys_enter before comes
 * first, and there such a name stays empty.
 */
#ifndef BPFPERF_SESSION_USER_DATA_H
#define BPFPERF_SESSION_USER_DATA_H

#include "session/syscall_layout.h"

struct trace_bpf;
struct bpf_link;

/* Before load: the record of this call is to have what the layout says. */
void user_data__select(struct trace_bpf *skel, const struct syscall_layout *layout);
/* Before load, once all are selected: has the program that waits loaded where that is of use; -v says where it is not. */
void user_data__prepare(struct trace_bpf *skel);
/* Attaches it, before all others: the caller's to destroy; NULL: there is none, or it cannot be attached (-v says so). */
struct bpf_link *user_data__attach(struct trace_bpf *skel);

#endif

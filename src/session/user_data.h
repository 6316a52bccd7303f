/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * File names and other memory behind pointer arguments in the records of system calls (6.19).
 *
 * The kernel copies it into a record after BPF programs ran, so bpfperf's program reads it itself.
 * Unlike the kernel it may not sleep, so it cannot fault a page in (a constant of a program that
 * was not accessed yet). From 7.2 on a second, sleepable program that runs before it touches those
 * pages (bpf/user_data.bpf.h). Tracepoints call their probes in the order of attachment: if another
 * user has attached to raw_syscalls:sys_enter before, that probe runs first, and such a name stays
 * empty.
 */
#ifndef BPFPERF_SESSION_USER_DATA_H
#define BPFPERF_SESSION_USER_DATA_H

#include "session/syscall_layout.h"

struct trace_bpf;
struct bpf_link;

/* Called before load: the record of this call will have the fields of the layout. */
void user_data__select(struct trace_bpf *skel, const struct syscall_layout *layout);
/*
 * Called before load, once all are selected: enables the sleepable program where it is useful; -v
 * logs where it is not.
 */
void user_data__prepare(struct trace_bpf *skel);
/*
 * Attaches the sleepable program, before all others. The caller destroys the link; NULL: there is
 * no such program, or it cannot be attached (logged at -v).
 */
struct bpf_link *user_data__attach(struct trace_bpf *skel);

#endif

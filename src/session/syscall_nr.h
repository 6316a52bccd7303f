/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* System call names ↔ numbers of the architecture bpfperf is built for. */
#ifndef BPFPERF_SESSION_SYSCALL_NR_H
#define BPFPERF_SESSION_SYSCALL_NR_H

/*
 * The number of the call that syscalls:sys_enter_NAME traces, or -1. The
 * event is named after the kernel's function, which for some calls is not
 * the call's own name (newfstat for fstat).
 */
int syscall_nr__by_event(const char *name);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* System call names ↔ numbers of the architecture bpfperf is built for. */
#ifndef BPFPERF_EVENT_SYSCALL_NR_H
#define BPFPERF_EVENT_SYSCALL_NR_H

#include <stdint.h>

/*
 * The number of the call that syscalls:sys_enter_NAME traces, or -1. The event is named after the
 * kernel's function, whose name differs from the call's for some calls (newfstat for fstat).
 */
int syscall_nr__by_event(const char *name);
/* The call's own name by its number, or NULL. Static storage; looked up in a table. */
const char *syscall_nr__name(int64_t nr);
/* Like syscall_nr__name(), for the 32-bit interface; NULL where the headers do not have it. */
const char *syscall_nr__compat_name(int64_t nr);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * How the hand-written programs of system calls are attached: to the raw tracepoints sys_enter and
 * sys_exit, or to the classic raw_syscalls:sys_enter and sys_exit.
 *
 * The raw ones are cheaper. But from 7.0 on a task can be preempted inside their programs, and
 * until it runs again the kernel skips the program for every other task of that CPU. With 5
 * processes that only make system calls on 2 CPUs, 20 to 60 % of the calls were missed; on the
 * classic ones, where preemption is off, none. (Disabling preemption inside the program, by
 * bpf_preempt_disable(), does not help: the task is then preempted at the end, still inside.)
 */
#ifndef BPFPERF_SESSION_SYSCALL_PATH_H
#define BPFPERF_SESSION_SYSCALL_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "session/detach_helper.h"

struct trace_bpf;

/* Maximum number of attachments of syscall_path__attachments(). */
#define SYSCALL_PATH_MAX 4

/*
 * Called before load, once all programs are selected: if a program of system calls is selected, its
 * other form and the program that asks the kernel are loaded, too.
 */
void syscall_path__prepare(struct trace_bpf *skel);

/*
 * Called after load: switches autoattach off for programs that do not go to raw tracepoints.
 * Returns true if there are programs to attach to classic ones.
 */
bool syscall_path__choose(struct trace_bpf *skel, bool preemptible);

/*
 * Fills in the classic attachments, without their `cookie`. Returns their number, or -errno
 * (logged).
 */
int syscall_path__attachments(struct trace_bpf *skel, struct detach_attachment *atts);

/* Do these programs serve the events of this system? */
bool syscall_path__serves(const char *sys);

#endif

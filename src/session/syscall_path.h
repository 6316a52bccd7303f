/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * How the hand-written programs of system calls are attached: to the raw
 * tracepoints sys_enter and sys_exit, or to the classic raw_syscalls:sys_enter
 * and sys_exit.
 *
 * The raw ones are cheaper. But from 7.0 on a task can be preempted inside
 * their programs, and the kernel then skips the program for every other task
 * of that CPU until that one runs again: of 5 processes that do nothing but
 * call the kernel on 2 CPUs 20 to 60 % of the calls were missed; on the
 * classic ones, where preemption is off, none. (Switching it off inside the
 * program, by bpf_preempt_disable(), does not help: the task is then preempted
 * at the end, still inside.)
 */
#ifndef BPFPERF_SESSION_SYSCALL_PATH_H
#define BPFPERF_SESSION_SYSCALL_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "session/detach_helper.h"

struct trace_bpf;

/* Most attachments that syscall_path__attachments() makes. */
#define SYSCALL_PATH_MAX 4

/*
 * Before load, once all programs are selected: where a program of system calls
 * is among them, its other form and what asks the kernel are loaded too.
 */
void syscall_path__prepare(struct trace_bpf *skel);

/*
 * After load: switches autoattach off for what is not to be attached to raw
 * tracepoints. True where there are programs to attach to classic ones.
 */
bool syscall_path__choose(struct trace_bpf *skel, bool preemptible);

/*
 * What is to be attached where it is classic, `cookie` left as it is; how many,
 * or -errno (said).
 */
int syscall_path__attachments(struct trace_bpf *skel, struct detach_attachment *atts);

/* Is an event of this system served by these programs? */
bool syscall_path__serves(const char *sys);

#endif

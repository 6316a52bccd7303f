/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Can tasks be preempted inside programs on raw tracepoints? From 7.0 on they can, unless the
 * tracepoint lies inside the kernel's locks. Such a program would leave its CPU's batch
 * half-written to other tasks, and be skipped for them. There, those events use classic
 * tracepoints, whose programs run with preemption off.
 */
#ifndef BPFPERF_SESSION_PREEMPT_H
#define BPFPERF_SESSION_PREEMPT_H

#include <stdbool.h>

#include <linux/types.h>

struct bpf_program;

/*
 * Runs a loaded program that asks the kernel (compat_is_preemptible()) in a system call of this
 * thread: *tid is set to the thread's id, and *found is the answer. Returns false if the program
 * was not loaded. BPFPERF_WITHOUT=syscall_guard: true.
 */
bool preempt__found(struct bpf_program *probe, volatile __u32 *tid, const volatile bool *found);

#endif

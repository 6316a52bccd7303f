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

struct trace_bpf;

/* Called before load: enables the program that asks the kernel. */
void preempt__prepare(struct trace_bpf *skel);
/*
 * Called after load: runs that program in a system call of this thread. Returns false if it was not
 * prepared. BPFPERF_WITHOUT=syscall_guard: true.
 */
bool preempt__found(struct trace_bpf *skel);

#endif

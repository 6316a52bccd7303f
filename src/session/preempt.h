/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Can tasks be preempted inside programs on raw tracepoints? From 7.0 on they
 * can, where the tracepoint itself lies outside the kernel's locks. Such a
 * program would leave its CPU's batch half-way to others, and be skipped for
 * them: those events are taken from classic tracepoints there, whose programs
 * run with preemption off.
 */
#ifndef BPFPERF_SESSION_PREEMPT_H
#define BPFPERF_SESSION_PREEMPT_H

#include <stdbool.h>

struct trace_bpf;

/* Before load: has the program loaded that asks the kernel. */
void preempt__prepare(struct trace_bpf *skel);
/*
 * After load: asks the kernel, by running that program in a system call of
 * this thread. False where it was not prepared. BPFPERF_WITHOUT=syscall_guard: true.
 */
bool preempt__found(struct trace_bpf *skel);

#endif

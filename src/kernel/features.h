/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Features of the running kernel, each probed once by trying it, and cached; the version is never
 * consulted. BPFPERF_WITHOUT=name,… in the environment makes features look absent, so that every
 * fallback can be tested on any kernel.
 */
#ifndef BPFPERF_KERNEL_FEATURES_H
#define BPFPERF_KERNEL_FEATURES_H

#include <stdbool.h>

enum feature {
	FEATURE_BTF, /* the kernel's types: /sys/kernel/btf/vmlinux */
	FEATURE_ATTACH_COOKIE, /* bpf_get_attach_cookie() in tracepoint programs (5.15) */
	FEATURE_TASK_REGS, /* bpf_task_pt_regs() in perf-event programs (5.15) */
	/* Programs find out by the types (6.1): a switch to test without the tree of mappings. */
	FEATURE_MAPPING_TREE,
	/* Always there: a switch to test programs that never run, like detached ones. */
	FEATURE_DETACH_WATCH,
	FEATURE_SYSCALL_GUARD, /* always there: a switch to test the fallback of syscall_path.c */
	FEATURE_SLEEPABLE_TP, /* sleepable programs on the raw tracepoint sys_enter (7.2) */
	FEATURE_PERF_PROGS, /* this kernel lets this user load programs of perf events */
	FEATURE_TASK_ITER, /* programs that visit each thread (5.8), and read its stack (5.9) */
	FEATURE_LOOP, /* bpf_loop() (5.17) */
	FEATURE_HASH_ALLOC, /* programs may allocate the entries of hash tables (6.1) */
	FEATURE_CMPXCHG, /* atomic instructions that yield the old value (5.12) */
	FEATURE_PREEMPT_DISABLE, /* around calls of global functions, too (6.15) */
	FEATURE_UPROBE_MULTI, /* one link for all uprobes of a file (6.6) */
	FEATURE_UPROBE_SESSION, /* one link for both ends of calls (6.13) */
	FEATURE_KPROBE_SESSION, /* the like for functions of the kernel (6.10) */
	FEATURE_KPROBE_MULTI, /* one link for many functions of the kernel (5.18) */
	FEATURE_CNT,
};

bool feature__have(enum feature f);

#endif

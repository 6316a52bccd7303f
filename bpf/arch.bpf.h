/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* How each architecture passes system calls: as syscall_get_nr() and syscall_get_arguments() read them. */
#ifndef BPFPERF_ARCH_BPF_H
#define BPFPERF_ARCH_BPF_H

#include "compat.bpf.h"

#if defined(__TARGET_ARCH_x86)

static __always_inline void arch_syscall_args(struct pt_regs *regs, __u64 *args)
{
	args[0] = regs->di;
	args[1] = regs->si;
	args[2] = regs->dx;
	args[3] = regs->r10;
	args[4] = regs->r8;
	args[5] = regs->r9;
}

static __always_inline __s64 arch_syscall_nr(struct pt_regs *regs)
{
	return (__s64)regs->orig_ax;
}

/* TS_COMPAT: a system call of the 32-bit ABI. */
static __always_inline _Bool arch_compat_syscall(void)
{
	return COMPAT_CURRENT(thread_info.status) & 2;
}

#elif defined(__TARGET_ARCH_arm64)

static __always_inline void arch_syscall_args(struct pt_regs *regs, __u64 *args)
{
	args[0] = regs->orig_x0;
	args[1] = regs->regs[1];
	args[2] = regs->regs[2];
	args[3] = regs->regs[3];
	args[4] = regs->regs[4];
	args[5] = regs->regs[5];
}

static __always_inline __s64 arch_syscall_nr(struct pt_regs *regs)
{
	return regs->syscallno;
}

/* TIF_32BIT */
static __always_inline _Bool arch_compat_syscall(void)
{
	return COMPAT_CURRENT(thread_info.flags) >> 22 & 1;
}

#else
#error "bpf/arch.bpf.h: this architecture's system call registers are missing"
#endif

#endif

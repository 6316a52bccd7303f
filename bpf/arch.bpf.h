/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * How each architecture passes system calls, read like syscall_get_nr() and syscall_get_arguments()
 * of the kernel do. Calls of the 32-bit ABI are recognized by the mode the CPU was in.
 */
#ifndef BPFPERF_ARCH_BPF_H
#define BPFPERF_ARCH_BPF_H

#include "compat.bpf.h"

#if defined(__TARGET_ARCH_x86)

/* The registers of 32-bit programs that the members of struct pt_regs in vmlinux.h lack. */
struct pt_regs___compat {
	unsigned long bp, bx, cx;
} COMPAT_FLAVOUR;

/* TS_COMPAT: 64-bit code may make 32-bit calls, too, by int $0x80. */
static __always_inline _Bool arch_compat_syscall(struct pt_regs *regs)
{
	return COMPAT_CURRENT(thread_info.status) & 2;
}

static __always_inline void arch_syscall_args(struct pt_regs *regs, __u64 *args)
{
	struct pt_regs___compat *compat = (void *)regs;

	if (arch_compat_syscall(regs)) {
		args[0] = (__u32)compat->bx;
		args[1] = (__u32)compat->cx;
		args[2] = (__u32)regs->dx;
		args[3] = (__u32)regs->si;
		args[4] = (__u32)regs->di;
		args[5] = (__u32)compat->bp;
		return;
	}
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

/* Tests PSR_MODE32_BIT. */
static __always_inline _Bool arch_compat_syscall(struct pt_regs *regs)
{
	return regs->pstate >> 4 & 1;
}

#elif defined(__TARGET_ARCH_riscv)

static __always_inline void arch_syscall_args(struct pt_regs *regs, __u64 *args)
{
	args[0] = regs->orig_a0;
	args[1] = regs->a1;
	args[2] = regs->a2;
	args[3] = regs->a3;
	args[4] = regs->a4;
	args[5] = regs->a5;
}

static __always_inline __s64 arch_syscall_nr(struct pt_regs *regs)
{
	return (__s64)regs->a7;
}

/* SR_UXL equals SR_UXL_32. */
static __always_inline _Bool arch_compat_syscall(struct pt_regs *regs)
{
	return (regs->status >> 32 & 3) == 1;
}

#elif defined(__TARGET_ARCH_powerpc)

static __always_inline void arch_syscall_args(struct pt_regs *regs, __u64 *args)
{
	args[0] = regs->orig_gpr3;
	args[1] = regs->gpr[4];
	args[2] = regs->gpr[5];
	args[3] = regs->gpr[6];
	args[4] = regs->gpr[7];
	args[5] = regs->gpr[8];
}

static __always_inline __s64 arch_syscall_nr(struct pt_regs *regs)
{
	return (__s64)regs->gpr[0];
}

/* MSR_SF is clear. */
static __always_inline _Bool arch_compat_syscall(struct pt_regs *regs)
{
	return !(regs->msr >> 63);
}

#elif defined(__TARGET_ARCH_s390)

static __always_inline void arch_syscall_args(struct pt_regs *regs, __u64 *args)
{
	args[0] = regs->orig_gpr2;
	args[1] = regs->gprs[3];
	args[2] = regs->gprs[4];
	args[3] = regs->gprs[5];
	args[4] = regs->gprs[6];
	args[5] = regs->gprs[7];
}

static __always_inline __s64 arch_syscall_nr(struct pt_regs *regs)
{
	return regs->int_code & 0xffff;
}

/* PSW_MASK_EA is clear: addresses have 31 bits. */
static __always_inline _Bool arch_compat_syscall(struct pt_regs *regs)
{
	return !(regs->psw.mask >> 32 & 1);
}

#else
#error "bpf/arch.bpf.h: this architecture's system call registers are missing"
#endif

#endif

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * raw_syscalls:* and all of syscalls:*, on the two raw tracepoints sys_enter
 * and sys_exit. The named events share two programs and a table by system
 * call number. raw_syscalls has programs of its own, so that one kind never
 * counts as the other's recursion.
 */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "arch.bpf.h"
#include "emit.bpf.h"

const volatile __u16 id_sys_enter = 0;
const volatile __u16 id_sys_exit = 0;

/* Tracepoint id of each system call's events; 0: not wanted. */
const volatile __u16 id_sys_enter_by_nr[WIRE_MAX_SYSCALLS] = {};
const volatile __u16 id_sys_exit_by_nr[WIRE_MAX_SYSCALLS] = {};
/* How many arguments its sys_enter event describes: 0 to 6. */
const volatile __u8 sys_enter_args_by_nr[WIRE_MAX_SYSCALLS] = {};

struct sys_enter_record {
	struct tp_head head;
	__s64 id;
	__u64 args[6];
};

struct sys_exit_record {
	struct tp_head head;
	__s64 id;
	__s64 ret;
};

SEC("tp_btf/sys_enter")
int BPF_PROG(raw_sys_enter, struct pt_regs *regs, long id)
{
	struct sys_enter_record rec;
	struct origin o;

	if (!wanted(&o))
		return 0;
	fill_head(&rec.head, &o, id_sys_enter);
	rec.id = id;
	arch_syscall_args(regs, rec.args);
	emit_tp(ctx, &o, &rec.head, sizeof(rec));
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(raw_sys_exit, struct pt_regs *regs, long ret)
{
	struct sys_exit_record rec;
	struct origin o;

	if (!wanted(&o))
		return 0;
	fill_head(&rec.head, &o, id_sys_exit);
	rec.id = arch_syscall_nr(regs);
	rec.ret = ret;
	emit_tp(ctx, &o, &rec.head, sizeof(rec));
	return 0;
}

/*
 * The named events' __syscall_nr is an int with 4 bytes of padding behind it;
 * both are written by one store of the zero-extended number. Like the kernel,
 * they leave out system calls of another ABI, whose numbers mean other calls.
 */
SEC("tp_btf/sys_enter")
int BPF_PROG(named_sys_enter, struct pt_regs *regs, long id)
{
	struct sys_enter_record rec;
	struct origin o;
	__u64 sz;
	__u16 tp;

	if (id < 0 || id >= WIRE_MAX_SYSCALLS)
		return 0;
	tp = id_sys_enter_by_nr[id];
	if (!tp || !wanted(&o) || arch_compat_syscall(regs))
		return 0;
	fill_head(&rec.head, &o, tp);
	rec.id = id;
	arch_syscall_args(regs, rec.args);
	sz = __builtin_offsetof(struct sys_enter_record, args) +
	     sys_enter_args_by_nr[id] * sizeof(rec.args[0]);
	/* In one register up to the helper, or the verifier loses the bound. */
	barrier_var(sz);
	if (sz > sizeof(rec))
		sz = sizeof(rec);
	emit_tp(ctx, &o, &rec.head, sz);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(named_sys_exit, struct pt_regs *regs, long ret)
{
	struct sys_exit_record rec;
	struct origin o;
	__s64 id = arch_syscall_nr(regs);
	__u16 tp;

	if (id < 0 || id >= WIRE_MAX_SYSCALLS)
		return 0;
	tp = id_sys_exit_by_nr[id];
	if (!tp || !wanted(&o) || arch_compat_syscall(regs))
		return 0;
	fill_head(&rec.head, &o, tp);
	rec.id = id;
	rec.ret = ret;
	emit_tp(ctx, &o, &rec.head, sizeof(rec));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";

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
#include "span_calls.bpf.h"
#include "user_data.bpf.h"

const volatile __u16 id_sys_enter = 0;
const volatile __u16 id_sys_exit = 0;

/* Tracepoint id of each system call's events; 0: not wanted. */
const volatile __u16 id_sys_enter_by_nr[WIRE_MAX_SYSCALLS] = {};
const volatile __u16 id_sys_exit_by_nr[WIRE_MAX_SYSCALLS] = {};
/* Number of arguments that the format of its sys_enter event has: 0 to 6. */
const volatile __u8 sys_enter_args_by_nr[WIRE_MAX_SYSCALLS] = {};

struct sys_enter_entry {
	struct wire_entry head;
	__s64 id;
	__u64 args[6];
};

struct sys_exit_entry {
	struct wire_entry head;
	__s64 id;
	__s64 ret;
};

/* In the kernel's 32-bit interface a number means another call. */
static __always_inline __u16 record_kind(struct pt_regs *regs)
{
	return arch_compat_syscall(regs) ? WIRE_TP_COMPAT : WIRE_TP;
}

static __always_inline void send_sys_enter(void *ctx, struct pt_regs *regs, __s64 id)
{
	struct sys_enter_entry *e;
	struct slot s;

	if (span_calls) {
		if (regs)
			span_call_begin((__u64)id |
					(arch_compat_syscall(regs) ? WIRE_SPAN_COMPAT : 0));
		return;
	}
	if (!regs || !wanted(&s))
		return;
	e = reserve(&s);
	if (!e)
		return;
	e->id = id;
	arch_syscall_args(regs, e->args);
	commit_kind(ctx, &s, record_kind(regs), id_sys_enter, sizeof(*e));
}

static __always_inline void send_sys_exit(void *ctx, struct pt_regs *regs, __s64 ret)
{
	struct sys_exit_entry *e;
	struct slot s;

	if (span_calls) {
		span_call_end();
		return;
	}
	if (!regs || !wanted(&s))
		return;
	e = reserve(&s);
	if (!e)
		return;
	e->id = arch_syscall_nr(regs);
	e->ret = ret;
	commit_kind(ctx, &s, record_kind(regs), id_sys_exit, sizeof(*e));
}

/*
 * The named events' __syscall_nr is an int with 4 bytes of padding behind it; one store of the
 * zero-extended number writes both. Like the kernel, the programs skip system calls of another ABI,
 * whose numbers mean other calls.
 */
static __always_inline void send_named_sys_enter(void *ctx, struct pt_regs *regs, __s64 id)
{
	struct sys_enter_entry *e;
	struct slot s;
	__u64 sz;
	__u16 tp;

	if (!regs || id < 0 || id >= WIRE_MAX_SYSCALLS)
		return;
	tp = id_sys_enter_by_nr[id];
	if (!tp || !wanted(&s) || arch_compat_syscall(regs))
		return;
	e = reserve(&s);
	if (!e)
		return;
	e->id = id;
	arch_syscall_args(regs, e->args);
	sz = sizeof(*e) - sizeof(e->args) + sys_enter_args_by_nr[id] * sizeof(e->args[0]);
	if (sz > sizeof(*e))
		sz = sizeof(*e);
	if (has_user_data)
		sz = put_user_data(e, e->args, sz, (__u32)id);
	commit(ctx, &s, tp, sz);
}

static __always_inline void send_named_sys_exit(void *ctx, struct pt_regs *regs, __s64 ret)
{
	struct sys_exit_entry *e;
	struct slot s;
	__s64 id;
	__u16 tp;

	if (!regs)
		return;
	id = arch_syscall_nr(regs);
	if (id < 0 || id >= WIRE_MAX_SYSCALLS)
		return;
	tp = id_sys_exit_by_nr[id];
	if (!tp || !wanted(&s) || arch_compat_syscall(regs))
		return;
	e = reserve(&s);
	if (!e)
		return;
	e->id = id;
	e->ret = ret;
	commit(ctx, &s, tp, sizeof(*e));
}

SEC("tp_btf/sys_enter")
int BPF_PROG(raw_sys_enter, struct pt_regs *regs, long id)
{
	send_sys_enter(ctx, regs, id);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(raw_sys_exit, struct pt_regs *regs, long ret)
{
	send_sys_exit(ctx, regs, ret);
	return 0;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(named_sys_enter, struct pt_regs *regs, long id)
{
	send_named_sys_enter(ctx, regs, id);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(named_sys_exit, struct pt_regs *regs, long ret)
{
	send_named_sys_exit(ctx, regs, ret);
	return 0;
}

/*
 * Faults in the memory that the program which makes the record will read; attached before that
 * program, which may not sleep. The loader marks this one as sleepable (7.2). It reads no more than
 * the kernel would.
 */
SEC("tp_btf/sys_enter")
int BPF_PROG(bring_sys_enter, struct pt_regs *regs, long id)
{
	__u64 args[8] = {};
	__u32 data, i;

	if (!active || !regs || id < 0 || id >= WIRE_MAX_SYSCALLS || !id_sys_enter_by_nr[id])
		return 0;
	data = user_data_by_nr[id];
	if (!data || WIRE_DATA_SZ(data) == WIRE_DATA_NONE || arch_compat_syscall(regs))
		return 0;
	if (filter_tasks) {
		__u8 *state = task_state((__u32)current_ids());

		if (!state || !(*state & WIRE_TASK_WATCHED))
			return 0;
	}
	arch_syscall_args(regs, args);
	for (i = 0; i < WIRE_DATA_FIELDS; i++)
		if (i < WIRE_DATA_CNT(data))
			bring_user_data((const void *)args[WIRE_DATA_ARG(data, i)],
					WIRE_DATA_SZ(data), args[WIRE_DATA_SZ(data) & 7]);
	return 0;
}

/*
 * Programs on the classic tracepoints raw_syscalls:sys_enter and sys_exit, for kernels (7.0) that
 * let tasks be preempted inside the programs above: until such a task runs again, those programs
 * are skipped for all other tasks of the CPU. Classic tracepoints run with preemption off. The
 * programs return 1: 0 would hide the event from every other perf user of the machine.
 */
struct classic_sys_enter {
	struct wire_entry entry;
	__s64 id;
	__u64 args[6];
};

struct classic_sys_exit {
	struct wire_entry entry;
	__s64 id;
	__s64 ret;
};

SEC("tracepoint")
int classic_sys_enter(struct classic_sys_enter *ctx)
{
	send_sys_enter(ctx, compat_current_regs(), ctx->id);
	return 1;
}

SEC("tracepoint")
int classic_sys_exit(struct classic_sys_exit *ctx)
{
	send_sys_exit(ctx, compat_current_regs(), ctx->ret);
	return 1;
}

SEC("tracepoint")
int classic_named_sys_enter(struct classic_sys_enter *ctx)
{
	send_named_sys_enter(ctx, compat_current_regs(), ctx->id);
	return 1;
}

SEC("tracepoint")
int classic_named_sys_exit(struct classic_sys_exit *ctx)
{
	send_named_sys_exit(ctx, compat_current_regs(), ctx->ret);
	return 1;
}

/*
 * Tests which of the two to use, with one system call of the loader's thread, which is named in
 * probe_tid.
 */
__u32 probe_tid __weak = 0;
_Bool probe_found_preemptible __weak = 0;

SEC("raw_tp/sys_enter")
int probe_sys_enter(void *ctx)
{
	if ((__u32)current_ids() == probe_tid)
		probe_found_preemptible = compat_is_preemptible();
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";

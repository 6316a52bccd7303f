// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bpfperf strace: signals, ends of threads, and the programs that processes run. */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#include "compat.bpf.h"
#include "strace_state.bpf.h"

/* enum of include/trace/events/signal.h, unchanged since 3.4. */
#define SIGNAL_SENT 0
#define SIGNAL_IGNORED 1

static __always_inline void send_signal(void *ctx, struct slot *s, __u32 sig, void *info,
					enum wire_signal_how how)
{
	struct wire_signal *rec = (void *)reserve_rec(s);

	if (!rec)
		return;
	rec->tid = s->tid;
	rec->sig = (__u16)sig;
	rec->how = how;
	__builtin_memset(rec->info, 0, sizeof(rec->info));
	/* 0 and 1 are constants for signals of the kernel (SEND_SIG_NOINFO, SEND_SIG_PRIV). */
	if ((__u64)info > 1)
		bpf_probe_read_kernel(rec->info, sizeof(rec->info), info);
	else
		*(__u32 *)rec->info = sig;
	commit_rec(ctx, s, WIRE_SIGNAL, sizeof(*rec));
}

SEC("raw_tp/signal_deliver")
int BPF_PROG(strace_deliver, int sig, void *info)
{
	struct slot s;

	/* All fatal signals arrive as this one. */
	if (sig != SIGKILL && wanted(&s))
		send_signal(ctx, &s, (__u32)sig, info, WIRE_SIGNAL_DELIVERED);
	return 0;
}

/*
 * A signal that its process ignores is not delivered, but a tracer by ptrace would see it; and one
 * that ends the process is delivered as SIGKILL. The current task is the sender.
 */
SEC("raw_tp/signal_generate")
int BPF_PROG(strace_generate, int sig, void *info, struct task_struct *task, int type, int result)
{
	struct slot s = {};
	__u8 *state;
	__u32 cpu;

	if (!active || (result != SIGNAL_IGNORED && result != SIGNAL_SENT) || sig == SIGKILL)
		return 0;
	s.tid = task_tid(task);
	s.tgid = task_tgid(task);
	if (filter_tasks) {
		state = task_state(s.tid);
		if (!state || !(*state & WIRE_TASK_WATCHED))
			return 0;
	} else if (filter_comm || filter_uid || filter_cgroup || is_own(s.tgid)) {
		return 0;
	}
	cpu = bpf_get_smp_processor_id();
	s.cpu = bpf_map_lookup_elem(&cpus, &cpu);
	if (s.cpu)
		send_signal(ctx, &s, (__u32)sig, info,
			    result == SIGNAL_IGNORED ? WIRE_SIGNAL_IGNORED : WIRE_SIGNAL_SENT);
	return 0;
}

struct signal_struct___exec {
	struct task_struct *group_exec_task;
} COMPAT_FLAVOUR;

/* Before 5.17 the member has another name, and is of core dumps, too. */
struct signal_struct___old_exec {
	struct task_struct *group_exit_task;
} COMPAT_FLAVOUR;

struct task_struct___exit {
	int exit_code;
	struct signal_struct___exec *signal;
} COMPAT_FLAVOUR;

/* Returns the thread that has called exec, for which all others of the process end; 0: none. */
static __always_inline __u32 exec_caller(struct task_struct___exit *task)
{
	struct signal_struct___old_exec *old = (void *)BPF_CORE_READ(task, signal);
	struct task_struct *caller;

	if (bpf_core_field_exists(struct signal_struct___exec, group_exec_task))
		caller = BPF_CORE_READ(task, signal, group_exec_task);
	else
		caller = BPF_CORE_READ(old, group_exit_task);
	return caller ? task_tid(caller) : 0;
}

static __always_inline void on_task_exit(void *ctx)
{
	__u32 tid = (__u32)bpf_get_current_pid_tgid();
	struct task_struct___exit *task = (void *)bpf_get_current_task();
	struct wire_exit *rec;
	struct slot s;

	forget_thread(tid);
	if (strace_counts_only || !wanted(&s))
		return;
	rec = (void *)reserve_rec(&s);
	if (!rec)
		return;
	rec->tid = s.tid;
	rec->code = (__u32)BPF_CORE_READ(task, exit_code);
	rec->exec_tid = s.tid == s.tgid && !rec->code ? exec_caller(task) : 0;
	commit_rec(ctx, &s, WIRE_EXIT, sizeof(*rec));
}

SEC("raw_tp/sched_process_exit")
int BPF_PROG(strace_task_exit)
{
	on_task_exit(ctx);
	return 0;
}

SEC("tracepoint")
int strace_classic_task_exit(void *ctx)
{
	on_task_exit(ctx);
	return 1;
}

struct mm_struct___args {
	unsigned long arg_start, arg_end;
} COMPAT_FLAVOUR;

struct task_struct___args {
	struct mm_struct___args *mm;
} COMPAT_FLAVOUR;

/* Sends the program that the process runs from now on; path is in the kernel's memory. */
static __always_inline void send_exec(void *ctx, struct slot *s, const char *path)
{
	struct task_struct___args *task = (void *)bpf_get_current_task();
	__u64 from = BPF_CORE_READ(task, mm, arg_start), end = BPF_CORE_READ(task, mm, arg_end);
	struct wire_exec *rec = (void *)reserve_call(ctx, s);
	__u64 sz = end - from;
	long len;

	if (!rec)
		return;
	rec->tid = s->tid;
	len = bpf_probe_read_kernel_str(rec + 1, STRACE_COPY_MAX, path);
	if (len < 0 || len > STRACE_COPY_MAX)
		len = 0;
	rec->path_sz = (__u16)len;
	barrier_var(sz);
	if (sz > WIRE_EXEC_ARGS)
		sz = WIRE_EXEC_ARGS;
	if (bpf_probe_read_user((void *)(rec + 1) + len, (__u32)sz, (void *)from))
		sz = 0;
	rec->args_sz = (__u16)sz;
	commit_rec(ctx, s, WIRE_EXEC, sizeof(*rec) + len + sz);
}

/* A thread that calls exec takes the id of its process's first thread, and its call with it. */
static __always_inline void on_task_exec(void *ctx, __u32 old, const char *path)
{
	__u32 tid = (__u32)bpf_get_current_pid_tgid();
	struct strace_thread *from, *to;
	struct slot s;

	if (!active)
		return;
	if (!strace_counts_only && wanted(&s))
		send_exec(ctx, &s, path);
	if (tid == old)
		return;
	from = find_thread(old);
	if (!from)
		return;
	to = find_thread(tid);
	if (!to)
		to = new_thread(tid);
	if (to) {
		__u32 owner = to->owner;

		bpf_probe_read_kernel(to, strace_counts_only ? STRACE_COUNTED_SZ : sizeof(*to),
				      from);
		to->owner = owner;
	}
	forget_thread(old);
}

SEC("raw_tp/sched_process_exec")
int BPF_PROG(strace_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	on_task_exec(ctx, (__u32)old_pid, BPF_CORE_READ(bprm, filename));
	return 0;
}

/* The record of sched:sched_process_exec. */
struct strace_process_exec {
	struct wire_entry entry;
	__u32 filename_loc;
	__s32 pid, old_pid;
};

SEC("tracepoint")
int strace_classic_exec(struct strace_process_exec *ctx)
{
	on_task_exec(ctx, (__u32)ctx->old_pid, (void *)ctx + (ctx->filename_loc & 0xffff));
	return 1;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";

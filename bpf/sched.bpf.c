// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * sched:* on raw tracepoints. Each program builds, from the tracepoint's arguments, the bytes that
 * the tracefs format of its event describes. The loader attaches a program only if it knows the
 * layout of the running kernel's format (session/raw_events.c); tests/live/attach_paths.sh compares
 * the bytes with the classic path's.
 */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "compat.bpf.h"
#include "emit.bpf.h"

#define COMM_LEN 16

/* The format has group_dead (6.16+). */
const volatile _Bool exit_has_group_dead = 0;

/* Tracepoint id of each event, and whether its comm fields are __data_loc (6.12+) or char[16]. */
#define EVENT_KNOBS(name)                                                                          \
	const volatile __u16 id_##name = 0;                                                        \
	const volatile _Bool dyn_##name = 0

/* Copies all 16 bytes, like the kernel's memcpy(). */
static __always_inline void copy_comm(char *to, struct task_struct *p)
{
	const __u64 *from = (const __u64 *)p->comm;

	((__u64 *)to)[0] = from[0];
	((__u64 *)to)[1] = from[1];
}

/* Copies to an address that is aligned to 4 bytes only. */
static __always_inline void copy_comm_u32(char *to, struct task_struct *p)
{
	const __u32 *from = (const __u32 *)p->comm;
	int i;

#pragma unroll
	for (i = 0; i < 4; i++)
		((__u32 *)to)[i] = from[i];
}

/*
 * Appends p's comm to the record's dynamic data; returns its length with the NUL. The barriers make
 * the verifier compare the very register that is used: up to 6.12 it does not carry a bound over to
 * a copy.
 */
static __always_inline __u64 copy_dyn_comm(char *to, struct task_struct *p)
{
	__u64 len = (__u64)bpf_probe_read_kernel_str(to, COMM_LEN, p->comm);

	barrier_var(len);
	if (len > COMM_LEN)
		len = 0;
	barrier_var(len);
	if (len)
		return len;
	to[0] = '\0';
	return 1;
}

/* The word of a __data_loc field: offset in the entry, and length. */
#define DATA_LOC(entry, member, len)                                                               \
	((__u32) __builtin_offsetof(typeof(*(entry)), member) | (__u32)(len) << 16)

/*
 * Sends a record of `task`'s comm and then `fields`, in the layout of this kernel. `set` assigns
 * the fields of the entry, e.
 */
#define EMIT_COMM_RECORD(ctx, s, name, task, fields, set)                                          \
	do {                                                                                       \
		if (dyn_##name) {                                                                  \
			struct {                                                                   \
				struct wire_entry head;                                            \
				__u32 comm_loc;                                                    \
				fields;                                                            \
				char comm[COMM_LEN];                                               \
			} *e = reserve(&(s));                                                      \
			__u64 len_;                                                                \
                                                                                                   \
			if (!e)                                                                    \
				break;                                                             \
			clear_fields(e, e->comm);                                                  \
			len_ = copy_dyn_comm(e->comm, task);                                       \
			e->comm_loc = DATA_LOC(e, comm, len_);                                     \
			set;                                                                       \
			commit(ctx, &(s), id_##name, __builtin_offsetof(typeof(*e), comm) + len_); \
		} else {                                                                           \
			struct {                                                                   \
				struct wire_entry head;                                            \
				char comm[COMM_LEN];                                               \
				fields;                                                            \
			} *e = reserve(&(s));                                                      \
                                                                                                   \
			if (!e)                                                                    \
				break;                                                             \
			clear_fields(e, e + 1);                                                    \
			copy_comm(e->comm, task);                                                  \
			set;                                                                       \
			commit(ctx, &(s), id_##name, sizeof(*e));                                  \
		}                                                                                  \
	} while (0)

/*
 * The bit of sched_switch's state letters, derived like in the kernel's
 * __trace_sched_switch_state().
 */
#define TASK_UNINTERRUPTIBLE 0x2u
#define TASK_REPORT 0x7fu
#define TASK_IDLE 0x402u
#define TASK_REPORT_IDLE 0x80u
#define TASK_REPORT_MAX 0x100
#define TASK_RTLOCK_WAIT 0x1000u
#define TASK_FROZEN 0x8000u

static __always_inline __s64 switch_state(_Bool preempt, __u32 state, __u32 exit_state)
{
	__u32 report = (state | exit_state) & TASK_REPORT, bit;

	if (preempt)
		return TASK_REPORT_MAX;
	if ((state & TASK_IDLE) == TASK_IDLE)
		report = TASK_REPORT_IDLE;
	if (state & (TASK_RTLOCK_WAIT | TASK_FROZEN))
		report = TASK_UNINTERRUPTIBLE;
		/* Only the highest bit is reported: 1 << (fls(report) - 1). */
#pragma unroll
	for (bit = TASK_REPORT_IDLE; bit; bit >>= 1)
		if (report & bit)
			return bit;
	return 0;
}

EVENT_KNOBS(sched_switch);

/* The first three arguments are equal on all kernels; 5.18 added the fourth, prev_state. */
SEC("tp_btf/sched_switch")
int BPF_PROG(raw_sched_switch, _Bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct {
		struct wire_entry head;
		char prev_comm[COMM_LEN];
		__s32 prev_pid, prev_prio;
		__s64 prev_state;
		char next_comm[COMM_LEN];
		__s32 next_pid, next_prio;
	} * e; /* no holes: each byte is written below */
	struct slot s;

	if (!wanted_or_self(&s, self_switches))
		return 0;
	e = reserve(&s);
	if (!e)
		return 0;
	copy_comm(e->prev_comm, prev);
	e->prev_pid = prev->pid;
	e->prev_prio = prev->prio;
	e->prev_state = switch_state(
		preempt, compat_switch_has_prev_state() ? (__u32)ctx[3] : compat_task_state(prev),
		(__u32)prev->exit_state);
	copy_comm(e->next_comm, next);
	e->next_pid = next->pid;
	e->next_prio = next->prio;
	commit(ctx, &s, id_sched_switch, sizeof(*e));
	return 0;
}

/*
 * In counts of pairs, a wakeup is of the task that is woken. One that is running, and was
 * woken before it slept, does not begin to wait for a CPU.
 */
static __always_inline _Bool is_of_woken(struct slot *s, struct task_struct *p)
{
	if (!span_of_woken)
		return 1;
	s->is_woken = 1;
	s->tid = typed_task_tid(p);
	s->tgid = task_tgid(p);
	return !compat_is_running(p);
}

/* sched_wakeup, sched_wakeup_new, sched_waking; `success` existed before 5.14 and is always 1. */
#define WAKEUP_EVENT(name)                                                                         \
	EVENT_KNOBS(name);                                                                         \
	SEC("tp_btf/" #name)                                                                       \
	int BPF_PROG(raw_##name, struct task_struct *p)                                            \
	{                                                                                          \
		struct slot s;                                                                     \
                                                                                                   \
		if (wanted(&s) && is_of_woken(&s, p))                                              \
			EMIT_COMM_RECORD(ctx, s, name, p, __s32 pid; __s32 prio;                   \
					 __s32 target_cpu, e->pid = p->pid; e->prio = p->prio;     \
					 e->target_cpu = compat_task_cpu(p));                      \
		return 0;                                                                          \
	}

WAKEUP_EVENT(sched_wakeup)
WAKEUP_EVENT(sched_wakeup_new)
WAKEUP_EVENT(sched_waking)

EVENT_KNOBS(sched_migrate_task);
SEC("tp_btf/sched_migrate_task")
int BPF_PROG(raw_sched_migrate_task, struct task_struct *p, int dest_cpu)
{
	struct slot s;

	if (wanted(&s))
		EMIT_COMM_RECORD(ctx, s, sched_migrate_task, p, __s32 pid; __s32 prio;
				 __s32 orig_cpu; __s32 dest_cpu, e->pid = p->pid; e->prio = p->prio;
				 e->orig_cpu = compat_task_cpu(p); e->dest_cpu = dest_cpu);
	return 0;
}

#define PRIO_EVENT(name)                                                                           \
	EVENT_KNOBS(name);                                                                         \
	SEC("tp_btf/" #name)                                                                       \
	int BPF_PROG(raw_##name, struct task_struct *p)                                            \
	{                                                                                          \
		struct slot s;                                                                     \
                                                                                                   \
		if (wanted(&s))                                                                    \
			EMIT_COMM_RECORD(ctx, s, name, p, __s32 pid; __s32 prio, e->pid = p->pid;  \
					 e->prio = p->prio);                                       \
		return 0;                                                                          \
	}

PRIO_EVENT(sched_process_free)
PRIO_EVENT(sched_wait_task)

/* 6.16 added group_dead; before, the record ends after prio. */
EVENT_KNOBS(sched_process_exit);
SEC("tp_btf/sched_process_exit")
int BPF_PROG(raw_sched_process_exit, struct task_struct *p)
{
	struct slot s;

	if (!wanted(&s))
		return 0;
	if (exit_has_group_dead) {

		EMIT_COMM_RECORD(ctx, s, sched_process_exit, p, __s32 pid; __s32 prio;
				 _Bool group_dead, e->pid = p->pid; e->prio = p->prio;
				 e->group_dead = ctx[1] & 1);
	} else {

		EMIT_COMM_RECORD(ctx, s, sched_process_exit, p, __s32 pid;
				 __s32 prio, e->pid = p->pid; e->prio = p->prio);
	}
	return 0;
}

/* comm and prio are those of the waiting task, pid is the task it waits for. */
EVENT_KNOBS(sched_process_wait);
SEC("tp_btf/sched_process_wait")
int BPF_PROG(raw_sched_process_wait, struct pid *pid)
{
	struct task_struct *p;
	struct slot s;
	__s32 nr = 0;

	if (!wanted(&s))
		return 0;
	if (pid)
		nr = pid->numbers[0].nr;
	if (compat_has_current_task_btf()) {
		p = bpf_get_current_task_btf();
		EMIT_COMM_RECORD(ctx, s, sched_process_wait, p, __s32 pid; __s32 prio, e->pid = nr;
				 e->prio = p->prio);
	} else {
		/* All kernels of that age have a char[16]. */
		struct {
			struct wire_entry head;
			char comm[COMM_LEN];
			__s32 pid, prio;
		} *e = reserve(&s);

		if (!e)
			return 0;
		bpf_get_current_comm(e->comm, sizeof(e->comm));
		e->pid = nr;
		e->prio = COMPAT_CURRENT(prio);
		commit(ctx, &s, id_sched_process_wait, sizeof(*e));
	}
	return 0;
}

EVENT_KNOBS(sched_process_fork);
SEC("tp_btf/sched_process_fork")
int BPF_PROG(raw_sched_process_fork, struct task_struct *parent, struct task_struct *child)
{
	struct slot s;

	if (!wanted(&s))
		return 0;
	if (dyn_sched_process_fork) {
		struct {
			struct wire_entry head;
			__u32 parent_loc;
			__s32 parent_pid;
			__u32 child_loc;
			__s32 child_pid;
			char comms[2 * COMM_LEN];
		} *e = reserve(&s);
		__u64 parent_len, child_len;

		if (!e)
			return 0;
		e->parent_pid = parent->pid;
		e->child_pid = child->pid;
		parent_len = copy_dyn_comm(e->comms, parent);
		child_len = copy_dyn_comm(e->comms + parent_len, child);
		e->parent_loc = DATA_LOC(e, comms, parent_len);
		e->child_loc = DATA_LOC(e, comms, child_len) + (__u32)parent_len;
		commit(ctx, &s, id_sched_process_fork,
		       __builtin_offsetof(typeof(*e), comms) + parent_len + child_len);
	} else {
		struct {
			struct wire_entry head;
			char parent_comm[COMM_LEN];
			__s32 parent_pid;
			char child_comm[COMM_LEN];
			__s32 child_pid;
		} *e = reserve(&s);

		if (!e)
			return 0;
		copy_comm(e->parent_comm, parent);
		e->parent_pid = parent->pid;
		copy_comm_u32(e->child_comm, child);
		e->child_pid = child->pid;
		commit(ctx, &s, id_sched_process_fork, sizeof(*e));
	}
	return 0;
}

/* Before 6.8 sched_stat_runtime had a vruntime field, too; that format takes the classic path. */
#define NS_EVENT(name)                                                                             \
	EVENT_KNOBS(name);                                                                         \
	SEC("tp_btf/" #name)                                                                       \
	int BPF_PROG(raw_##name, struct task_struct *p, __u64 ns)                                  \
	{                                                                                          \
		struct slot s;                                                                     \
                                                                                                   \
		if (wanted(&s))                                                                    \
			EMIT_COMM_RECORD(ctx, s, name, p, __s32 pid; __u64 ns, e->pid = p->pid;    \
					 e->ns = ns);                                              \
		return 0;                                                                          \
	}

NS_EVENT(sched_stat_runtime)
NS_EVENT(sched_stat_wait)
NS_EVENT(sched_stat_sleep)
NS_EVENT(sched_stat_iowait)
NS_EVENT(sched_stat_blocked)

EVENT_KNOBS(sched_pi_setprio);
SEC("tp_btf/sched_pi_setprio")
int BPF_PROG(raw_sched_pi_setprio, struct task_struct *p, struct task_struct *donor)
{
	struct slot s;
	__s32 newprio;

	if (!wanted(&s))
		return 0;
	newprio = p->normal_prio;
	if (donor && donor->prio < newprio)
		newprio = donor->prio;
	EMIT_COMM_RECORD(ctx, s, sched_pi_setprio, p, __s32 pid; __s32 oldprio;
			 __s32 newprio, e->pid = p->pid; e->oldprio = p->prio;
			 e->newprio = newprio);
	return 0;
}

#define PID_EVENT(name)                                                                            \
	EVENT_KNOBS(name);                                                                         \
	SEC("tp_btf/" #name)                                                                       \
	int BPF_PROG(raw_##name, struct task_struct *p)                                            \
	{                                                                                          \
		struct slot s;                                                                     \
                                                                                                   \
		if (wanted(&s))                                                                    \
			EMIT_COMM_RECORD(ctx, s, name, p, __s32 pid, e->pid = p->pid);             \
		return 0;                                                                          \
	}

PID_EVENT(sched_process_hang)
PID_EVENT(sched_kthread_stop)

/* The entry has a single field, a 32-bit argument. */
#define INT_EVENT(name)                                                                            \
	EVENT_KNOBS(name);                                                                         \
	SEC("tp_btf/" #name)                                                                       \
	int BPF_PROG(raw_##name, int val)                                                          \
	{                                                                                          \
		struct {                                                                           \
			struct wire_entry head;                                                    \
			__s32 val;                                                                 \
		} * e;                                                                             \
		struct slot s;                                                                     \
                                                                                                   \
		if (!wanted(&s))                                                                   \
			return 0;                                                                  \
		e = reserve(&s);                                                                   \
		if (!e)                                                                            \
			return 0;                                                                  \
		e->val = val;                                                                      \
		commit(ctx, &s, id_##name, sizeof(*e));                                            \
		return 0;                                                                          \
	}

INT_EVENT(sched_kthread_stop_ret)
INT_EVENT(sched_wake_idle_without_ipi)

char LICENSE[] SEC("license") = "Dual BSD/GPL";

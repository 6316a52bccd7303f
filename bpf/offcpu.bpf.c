// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Time off the CPU: the stack of a thread is taken when it leaves the CPU, and sent with the time
 * it was away when it comes back. One map holds the threads that are away; the loader reads it at
 * the end.
 */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "compat.bpf.h"
#include "emit.bpf.h"
#include "offcpu.bpf.h"
#include "why.bpf.h"

/* Minimum and maximum time that a thread must have been away; off_max_ns 0: no maximum. */
const volatile __u64 off_min_ns = 0;
const volatile __u64 off_max_ns = 0;
/* The waker is recorded, too. */
const volatile _Bool off_wakers = 0;

/*
 * Returns the id of the stack that the program was called from. Its CPU's level is taken meanwhile.
 * user: with the user part, if stacks have one.
 */
static __always_inline __u64 stack_here(void *ctx, struct slot *s, _Bool user)
{
	__u64 id;

	if (!reserve_rec(s))
		return WIRE_STACK_LOST;
	id = user ? take_callstack(ctx, s->cpu, s->level)
		  : take_kernel_callstack(ctx, s->cpu, s->level);
	drop(s);
	return id;
}

/*
 * Sends the time that a thread was away. exec_ns 0: the thread comes back now. Otherwise the thread
 * leaves again, and the switch to it was not traced: some kernels trace no event of some tasks, and
 * so no switch from them to the next task. The thread's CPU time, exec_ns, tells since when it has
 * been back.
 */
static __noinline int come_back(void *ctx, __u32 tid, __u64 exec_ns)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct wire_offcpu_entry *a = tid ? bpf_map_lookup_elem(&away, &tid) : NULL;
	__u64 now = bpf_ktime_get_ns(), back = now;
	struct wire_offcpu *rec;
	struct slot s;

	if (!a)
		return 0;
	s.cpu = bpf_map_lookup_elem(&cpus, &cpu);
	s.tid = tid;
	s.tgid = a->tgid;
	s.time_ns = now;
	if (exec_ns)
		back -= exec_ns - a->exec_ns;
	if (back < a->start_ns || back > now)
		back = a->start_ns;
	if (s.cpu && back - a->start_ns >= off_min_ns &&
	    (!off_max_ns || back - a->start_ns <= off_max_ns)) {
		rec = (void *)reserve_rec(&s);
		if (rec) {
			rec->tid = tid;
			rec->back_ns = back;
			rec->away = *a;
			if (why_facts)
				why_come_back((void *)(rec + 1), tid,
					      a->woken_ns ? a->woken_ns : a->start_ns, back);
			commit_rec(ctx, &s, WIRE_OFF,
				   sizeof(*rec) + (why_facts ? sizeof(struct wire_why) : 0));
		}
	}
	bpf_map_delete_elem(&away, &tid);
	return 0;
}

/*
 * Creates the entry before anything else: a waker may run on another CPU while this one is still
 * busy here, and must find the entry. Not 0: there was no room.
 */
static __always_inline int leave(void *ctx, const struct slot *s, __u32 state, __u64 exec_ns,
				 __u64 ready_ns)
{
	struct wire_offcpu_entry a = {
		.start_ns = bpf_ktime_get_ns(),
		.stack = WIRE_STACK_LOST,
		.tgid = s->tgid,
		.state = (__u16)state,
		.cpu = (__u16)bpf_get_smp_processor_id(),
		.exec_ns = exec_ns,
		.ready_ns = ready_ns,
	};
	int err = map_errno(bpf_map_update_elem(&away, &s->tid, &a, BPF_NOEXIST));

	if (err == -EEXIST) {
		come_back(ctx, s->tid, exec_ns);
		err = map_errno(bpf_map_update_elem(&away, &s->tid, &a, BPF_ANY));
	}
	if (err)
		__sync_fetch_and_add(&away_refused, 1);
	return err;
}

/* Stores the stack in the entry, beside the members that a waker may have set. */
static __always_inline void leave_stack(void *ctx, struct slot *s)
{
	__u64 id = stack_here(ctx, s, 1);
	struct wire_offcpu_entry *a = bpf_map_lookup_elem(&away, &s->tid);

	if (!a)
		return;
	a->stack = id;
	/*
	 * The time to take the stack does not count as time off the CPU; with facts it does, as in
	 * the kernel's own counts.
	 */
	if (!why_facts)
		a->start_ns = bpf_ktime_get_ns();
}

/* Sends the last moment of a thread, an absence without length: its CPU time, and interrupts. */
static __noinline int send_end(void *ctx, struct task_struct *task, __u32 state)
{
	struct wire_offcpu *rec;
	struct slot s;

	if (!wanted(&s) || !s.tid || s.tid == TASK_OUTSIDE)
		return 0;
	rec = (void *)reserve_rec(&s);
	if (!rec)
		return 0;
	__builtin_memset(rec, 0, sizeof(*rec) + sizeof(struct wire_why));
	rec->tid = s.tid;
	rec->back_ns = rec->away.start_ns = bpf_ktime_get_ns();
	rec->away.tgid = s.tgid;
	rec->away.state = (__u16)state;
	rec->away.exec_ns = task_exec_ns(task);
	rec->away.ready_ns = task_ready_ns(task);
	why_take_interrupts((void *)(rec + 1));
	commit_rec(ctx, &s, WIRE_OFF, sizeof(*rec) + sizeof(struct wire_why));
	return 0;
}

/* The first three arguments are equal on all kernels; 5.18 added the fourth, prev_state. */
SEC("tp_btf/sched_switch")
int BPF_PROG(off_switch, _Bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u64 exec_ns = task_exec_ns(prev);
	__u32 state = 0, to;
	struct slot s;

	if (!active)
		return 0;
	to = typed_task_tid(next);
	if (!preempt)
		state = compat_switch_has_prev_state() ? (__u32)ctx[3] : compat_task_state(prev);
	/* The current task is prev. */
	if (state & WIRE_STATE_ENDS)
		come_back(ctx, typed_task_tid(prev), exec_ns);
	if (why_facts && state & WIRE_STATE_ENDS)
		send_end(ctx, prev, state);
	if (!wanted(&s) || !s.tid || s.tid == TASK_OUTSIDE || (state & WIRE_STATE_ENDS) ||
	    leave(ctx, &s, state, exec_ns, task_ready_ns(prev))) {
		come_back(ctx, to, 0);
		if (why_facts)
			why_begin_turn(to, bpf_ktime_get_ns());
		return 0;
	}
	/* This precedes the stack, whose time must not count for next. */
	come_back(ctx, to, 0);
	if (why_facts) {
		why_leave(prev, s.tid, state);
		why_begin_turn(to, bpf_ktime_get_ns());
	}
	leave_stack(ctx, &s);
	return 0;
}

/* Runs in the waker, or in the interrupt that wakes. */
SEC("tp_btf/sched_waking")
int BPF_PROG(off_waking, struct task_struct *p)
{
	__u32 tid = typed_task_tid(p), cpu = bpf_get_smp_processor_id();
	struct wire_offcpu_entry *a;
	struct slot s;
	__u64 id;

	if (!active)
		return 0;
	a = bpf_map_lookup_elem(&away, &tid);
	/* A task that was preempted on its way to sleep is woken, too, but never slept. */
	if (!a || !a->state || a->woken_ns)
		return 0;
	a->woken_ns = bpf_ktime_get_ns();
	if (!off_wakers)
		return 0;
	s.cpu = bpf_map_lookup_elem(&cpus, &cpu);
	if (!s.cpu)
		return 0;
	id = current_ids();
	a->waker_tgid = id >> 32;
	a->waker_tid = (__u32)id;
	/* With facts, it only tells whether an interrupt wakes. */
	a->waker_stack = stack_here(ctx, &s, !why_facts);
	/* The thread becomes ready to run only after this program. */
	if (why_facts)
		a->woken_ns = bpf_ktime_get_ns();
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The threads that are off the CPU before the session is active, and so have no switch that the
 * programs of offcpu.bpf.c could see. An iterator of all threads (5.8) notes them right after the
 * start, as if they had left the CPU at that moment, and prints their stacks.
 */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "callstack.bpf.h"
#include "compat.bpf.h"
#include "offcpu.bpf.h"
#include "other_task.bpf.h"

/* When the session became active; the loader sets it before the iterator runs. */
__u64 before_since_ns = 0;
/* The iterator runs for the second time, at the end. */
int before_is_end = 0;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wire_before);
} before_scratch SEC(".maps");

/* Their layout is that of the kernel, which gives no other program this context. */
struct bpf_iter_meta___before {
	struct seq_file *seq;
};
struct bpf_iter___task {
	struct bpf_iter_meta___before *meta;
	struct task_struct *task;
};

struct sched_entity___before {
	unsigned char sched_delayed; /* 6.12: asleep, but still queued */
} COMPAT_FLAVOUR;
struct task_struct___before {
	int on_cpu; /* kernels for several CPUs, and all since 6.17 */
	int on_rq;
	unsigned long nvcsw, nivcsw;
	unsigned int flags;
	struct sched_entity___before se;
} COMPAT_FLAVOUR;

#define PF_KTHREAD 0x200000
/* Added to a state by a wakeup that is under way; the second: not woken up since its creation. */
#define STATE_WAKING 0x200
#define STATE_NEW 0x800

/* The part of a thread's state that changes when it runs. */
struct look {
	__u64 switches;
	__u32 state; /* 0: it waits for a CPU */
	_Bool is_off;
};

static __always_inline void look_at(struct task_struct *p, struct look *l)
{
	struct task_struct___before *t = (void *)p;
	__u32 state = compat_task_state(p);

	l->switches = t->nvcsw + t->nivcsw;
	l->is_off = !(state & (WIRE_STATE_ENDS | STATE_NEW)) &&
		    !(bpf_core_field_exists(t->on_cpu) && t->on_cpu);
	/* It was preempted on its way to sleep. */
	if (t->on_rq && !(bpf_core_field_exists(t->se.sched_delayed) && t->se.sched_delayed))
		state = 0;
	l->state = state & STATE_WAKING ? 0 : state;
}

/* Kernel stack, and the registers with which the task entered the kernel. Returns bytes. */
static __always_inline __u64 take_before(struct task_struct *p, struct wire_before *b)
{
	struct task_struct___before *t = (void *)p;
	__u64 max_sz = SIDE_AT_MOST(stack_kern_sz), sz = 0;
	long n = 0;

	if (stack_kern_sz &&
	    bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_task_stack)) {
		n = bpf_get_task_stack(p, b->kern, max_sz, 0);
		sz = callstack_bytes(n, max_sz);
	}
	b->kern_sz = (__s16)n;
	b->has_regs = 0;
	if (stack_user_sz && unwind_regs_helper && !(t->flags & PF_KTHREAD) &&
	    bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_task_pt_regs))
		b->has_regs = !bpf_probe_read_kernel(b->regs, 8 * UNWIND_RAW_WORDS,
						     (void *)bpf_task_pt_regs(p)) &&
			      unwind_is_user(b->regs);
	sz += __builtin_offsetof(struct wire_before, kern);
	barrier_var(sz);
	return sz <= sizeof(*b) ? sz : sizeof(*b);
}

/*
 * Enters the thread among those that are away, unless a switch of it has been seen. It may have
 * come back before: then it has other counts, or runs.
 */
static __always_inline void enter(struct task_struct *p, const struct slot *s,
				  const struct look *was)
{
	struct wire_offcpu_entry a = {
		.start_ns = before_since_ns,
		.stack = WIRE_STACK_BEFORE << 32 | s->tid,
		.tgid = s->tgid,
		.state = (__u16)was->state,
		.cpu = (__u16)compat_task_cpu(p),
		.exec_ns = task_exec_ns(p),
		.ready_ns = task_ready_ns(p),
	};
	int err = map_errno(bpf_map_update_elem(&away, &s->tid, &a, BPF_NOEXIST));
	struct look is;

	if (err) {
		if (err != -EEXIST)
			__sync_fetch_and_add(&away_refused, 1);
		return;
	}
	look_at(p, &is);
	if (!is.is_off || is.switches != was->switches)
		bpf_map_delete_elem(&away, &s->tid);
}

/*
 * Deletes the entry of a thread that was being switched to when the entry was made: no later switch
 * to it was seen, and it still runs.
 */
static __always_inline void forget_running(struct task_struct *p)
{
	__u32 tid = typed_task_tid(p);
	struct wire_offcpu_entry *a = bpf_map_lookup_elem(&away, &tid);
	struct look is;

	look_at(p, &is);
	if (a && !is.is_off && !a->state && a->stack >> 32 == WIRE_STACK_BEFORE)
		bpf_map_delete_elem(&away, &tid);
}

SEC("iter/task")
int note_before(struct bpf_iter___task *ctx)
{
	struct task_struct *p = ctx->task;
	struct wire_before *b;
	struct look was;
	struct slot s;
	__u32 zero = 0;
	__u64 sz;

	if (!p)
		return 0;
	if (before_is_end) {
		forget_running(p);
		return 0;
	}
	look_at(p, &was);
	b = bpf_map_lookup_elem(&before_scratch, &zero);
	if (!b || !was.is_off || !is_wanted_task(p, (__u32)compat_task_cpu(p), &s))
		return 0;
	sz = take_before(p, b);
	b->sz = (__u32)sz;
	b->tgid = s.tgid;
	b->tid = s.tid;
	/* If the output is full, the kernel comes again with this thread. */
	if (!bpf_seq_write(ctx->meta->seq, b, sz))
		enter(p, &s, &was);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";

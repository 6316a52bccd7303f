/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Facts of threads that leave the CPU (struct wire_why), for `bpfperf why`: the system call and its
 * file, interrupts, and the task that has the CPU instead.
 */
#ifndef BPFPERF_WHY_BPF_H
#define BPFPERF_WHY_BPF_H

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "arch.bpf.h"
#include "compat.bpf.h"
#include "files.bpf.h"
#include "why_wire.h"

/* Records of time off the CPU have facts. */
const volatile _Bool why_facts __weak = 0;

/* Facts of the threads that left last; the loader sets max_entries. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wire_why);
} why_left __weak SEC(".maps");

/* Numbers of soft interrupts (include/linux/interrupt.h). */
#define WHY_SOFTIRQS 16
/* The tasks that a CPU has run last: a power of two. */
#define WHY_TURNS 8

/* State of one CPU. Interrupts change the first part, a switch the second; no two at once. */
struct why_cpu {
	__u64 irq_at, softirq_at; /* when the current one began; 0: none */
	__u64 irq_ns; /* since the last switch */
	__u64 softirq_ns[WHY_SOFTIRQS]; /* without the hard interrupts in them */
	__u64 inner_ns; /* hard interrupts within the current soft one */
	__u32 turn; /* index of the current task's turn */
	__u32 pad;
	struct {
		__u64 since_ns;
		__u32 tid;
		__u32 pad;
	} turns[WHY_TURNS];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct why_cpu);
} why_cpus __weak SEC(".maps");

struct cfs_rq___why {
	int throttle_count;
} COMPAT_FLAVOUR;

struct sched_entity___why {
	struct cfs_rq___why *cfs_rq;
} COMPAT_FLAVOUR;

struct task_struct___why {
	int prio;
	unsigned long min_flt, maj_flt;
	/* Added in 6.18: e1fad12dcb66 (sched/fair: Switch to task based throttle model). */
	_Bool throttled;
	struct sched_entity___why se;
} COMPAT_FLAVOUR;

/* The member is there with CONFIG_IRQ_TIME_ACCOUNTING. */
struct rq___why {
	__u64 prev_irq_time;
} COMPAT_FLAVOUR;

struct qstr___why {
	const unsigned char *name;
} COMPAT_FLAVOUR;

struct dentry___why {
	struct qstr___why d_name;
} COMPAT_FLAVOUR;

/* Has the task's control group used up its CPU time? */
static __always_inline _Bool why_is_throttled(void *task)
{
	struct task_struct___why *t = task;

	if (bpf_core_field_exists(t->throttled))
		return BPF_CORE_READ(t, throttled);
	if (!bpf_core_type_exists(struct cfs_rq___why) ||
	    !bpf_core_field_exists(((struct cfs_rq___why *)0)->throttle_count))
		return 0;
	return BPF_CORE_READ(t, se.cfs_rq, throttle_count) != 0;
}

static __always_inline void why_take_file(struct wire_why *w, __s32 fd)
{
	struct file___file *file = file_of(fd);
	struct dentry___why *dentry;
	struct inode___file *inode;

	if (!file)
		return;
	inode = BPF_CORE_READ(file, f_inode);
	dentry = (void *)BPF_CORE_READ(file, f_path.dentry);
	w->flags |= WIRE_WHY_FILE;
	w->mode = BPF_CORE_READ(inode, i_mode);
	bpf_probe_read_kernel_str(w->name, sizeof(w->name), BPF_CORE_READ(dentry, d_name.name));
}

/* Facts of the call's arguments; from 5.15 on, where programs can read a task's registers. */
static __always_inline void why_take_call(struct wire_why *w)
{
	struct pt_regs *regs = compat_current_regs();
	__u64 args[6];

	if (!regs)
		return;
	arch_syscall_args(regs, args);
	w->flags |= (args[0] ? 0 : WIRE_WHY_ZERO_FIRST) | (args[1] ? 0 : WIRE_WHY_ZERO_SECOND);
	why_take_file(w, (__s32)args[0]);
}

static __always_inline struct why_cpu *why_this_cpu(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&why_cpus, &zero);
}

/* Moves the interrupts of the turn that ends to the facts. */
static __always_inline void why_take_interrupts(struct wire_why *w)
{
	struct why_cpu *c = why_this_cpu();
	__u64 most = 0;
	__u32 i;

	if (bpf_core_field_exists(((struct rq___why *)0)->prev_irq_time))
		w->flags |= WIRE_WHY_INTERRUPTS_APART;
	if (!c)
		return;
	w->irq_ns = c->irq_ns;
#pragma clang loop unroll(disable)
	for (i = 0; i < WHY_SOFTIRQS; i++) {
		__u64 ns = c->softirq_ns[i];

		w->softirq_ns += ns;
		if (ns > most) {
			most = ns;
			w->softirq = i;
		}
	}
}

/* Notes the facts of the current task, which leaves the CPU. blocks: it will not run by itself. */
static __noinline __attribute__((unused)) int why_leave(void *task, __u32 tid, __u32 blocks)
{
	struct task_struct___why *t = task;
	struct wire_why w = {};

	w.prio = (__s16)BPF_CORE_READ(t, prio);
	w.faults = BPF_CORE_READ(t, min_flt) + BPF_CORE_READ(t, maj_flt);
	if (blocks)
		why_take_call(&w);
	else if (why_is_throttled(task))
		w.flags |= WIRE_WHY_THROTTLED;
	why_take_interrupts(&w);
	bpf_map_update_elem(&why_left, &tid, &w, BPF_ANY);
	return 0;
}

/* The CPU goes on with another task: the turn begins, with no interrupts yet. */
static __always_inline void why_begin_turn(__u32 tid, __u64 now)
{
	struct why_cpu *c = why_this_cpu();
	__u32 i;

	if (!c)
		return;
	c->turn++;
	c->turns[c->turn & (WHY_TURNS - 1)].since_ns = now;
	c->turns[c->turn & (WHY_TURNS - 1)].tid = tid;
	c->irq_ns = 0;
#pragma clang loop unroll(disable)
	for (i = 0; i < WHY_SOFTIRQS; i++)
		c->softirq_ns[i] = 0;
}

/*
 * Finds the task that had this CPU for most of the time from begin_ns to now. Called before the
 * next turn begins. A task that had several turns counts with its longest.
 */
static __always_inline void why_take_instead(struct wire_why *w, __u64 begin_ns, __u64 now)
{
	struct why_cpu *c = why_this_cpu();
	__u64 until = now;
	__u32 i;

	if (!c)
		return;
#pragma clang loop unroll(disable)
	for (i = 0; i < WHY_TURNS; i++) {
		__u32 at = (c->turn - i) & (WHY_TURNS - 1);
		__u64 since = c->turns[at].since_ns;

		if (!since || until <= begin_ns)
			break;
		if (since < begin_ns)
			since = begin_ns;
		if (until - since > w->instead_ns) {
			w->instead_ns = until - since;
			w->instead_tid = c->turns[at].tid;
		}
		until = c->turns[at].since_ns;
	}
}

/* Puts the facts of a thread that is back behind its record. */
static __always_inline void why_come_back(struct wire_why *to, __u32 tid, __u64 begin_ns, __u64 now)
{
	struct wire_why *w = bpf_map_lookup_elem(&why_left, &tid);

	if (w) {
		*to = *w;
	} else {
		__builtin_memset(to, 0, sizeof(*to));
	}
	to->instead_ns = 0;
	to->instead_tid = 0;
	why_take_instead(to, begin_ns, now);
}

#endif

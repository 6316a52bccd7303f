/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Decides whether an event is wanted, cheapest test first. */
#ifndef BPFPERF_FILTER_BPF_H
#define BPFPERF_FILTER_BPF_H

#include "knobs.bpf.h"
#include "maps.bpf.h"
#include "task_ids.bpf.h"

/* Returns the watch state of a thread, or NULL if its id is out of the map's range. */
static __always_inline __u8 *task_state(__u32 tid)
{
	__u32 elem = tid / WIRE_TASKS_PER_ELEM;
	struct wire_tasks *t = bpf_map_lookup_elem(&tasks, &elem);

	return t ? &t->state[tid % WIRE_TASKS_PER_ELEM] : NULL;
}

static __always_inline void *read_ptr(const void *from)
{
	void *p = NULL;

	bpf_probe_read_kernel(&p, sizeof(p), from);
	return p;
}

/* Deeper levels of control groups are not searched. */
#define CG_LEVELS 32

/* Is the task in the v1 group or in one below it? */
static __noinline int in_v1_cgroup(void *task)
{
	void *cgrp = read_ptr(task + cg_offs[WIRE_CG_TASK]);
	__u32 level = 0, i;
	__u64 id;

	cgrp = read_ptr(read_ptr(cgrp + cg_offs[WIRE_CG_SET]) + cg_offs[WIRE_CG_CSS]);
	bpf_probe_read_kernel(&level, sizeof(level), cgrp + cg_offs[WIRE_CG_LEVEL]);
	for (i = 0; i < CG_LEVELS; i++) {
		void *at = cgrp + i * sizeof(__u64);

		if (i > level)
			break;
		id = 0;
		if (cg_offs[WIRE_CG_IDS]) {
			at += cg_offs[WIRE_CG_IDS];
		} else {
			at = read_ptr(at + cg_offs[WIRE_CG_ABOVE]);
			at = read_ptr(at + cg_offs[WIRE_CG_KN]) + cg_offs[WIRE_CG_ID];
		}
		bpf_probe_read_kernel(&id, sizeof(id), at);
		if (id == cg_id[0])
			return 1;
	}
	return 0;
}

/* The record that a program is making, and its task. */
struct slot {
	struct wire_cpu *cpu;
	struct wire_rec *rec;
	__u64 time_ns; /* set where STAMP_EARLY */
	__u32 tgid, tid;
	__u32 level;
	_Bool self; /* bpfperf's own records are wanted, too */
	_Bool is_woken; /* tgid and tid are of a task that is not the current one */
};

/*
 * The clock is the most expensive part of a record, and waits for all instructions begun before it,
 * so it is best read early. Where a record may still turn out to be unwanted it is read late, so
 * that unwanted events do not pay for it.
 */
#define STAMP_EARLY                                                                                \
	(!has_patch_point && !count_spans && !agg_mode && !filter_tasks && !filter_comm &&         \
	 !filter_uid && !filter_cgroup)

/*
 * The task is looked up after generated code that does not need it: most records which that code
 * rejects belong to other tasks.
 */
#define WHOSE_LATE                                                                                 \
	(has_patch_point && !(patch_needs & WIRE_NEED_TASK) && !filter_tasks && !filter_comm)

/* Is it a process of bpfperf? Not with --include-self. */
static __always_inline _Bool is_own(__u32 tgid)
{
	/* It has 64 bits: compilers clear the upper halves of each shorter difference. */
	const __u64 id = tgid;
	__u64 found = 0, differ;
	__u32 i;

	if (!self_tgid)
		return 0;
	if (tgid == self_tgid)
		return 1;
	/*
	 * A free element, 0, is no idle task's. The elements are compared without branches, which
	 * verifiers would follow one by one.
	 */
	if (!own_reader_cnt || !tgid)
		return 0;
#pragma clang loop unroll(full)
	for (i = 0; i < WIRE_READERS_MAX; i++) {
		differ = (own_readers[i] ^ id) - 1;
		barrier_var(differ);
		found |= differ >> 63;
	}
	return found != 0;
}

/* Is the slot's task traced? */
static __always_inline _Bool is_traced(const struct slot *s)
{
	if (!s->self && is_own(s->tgid))
		return 0;
	if (hide_cmd && s->tgid == hidden_tgid)
		return 0;
	if (filter_tasks || filter_comm) {
		const __u8 need = (filter_tasks ? WIRE_TASK_WATCHED : 0) |
				  (filter_comm ? WIRE_TASK_NAMED : 0);
		__u8 *state = task_state(s->tid);

		if (!state || (*state & need) != need)
			return 0;
		/* The idle tasks of all CPUs share one id, but each has its own name. */
		if (filter_comm && !s->tid && !s->cpu->idle_named)
			return 0;
	}
	return 1;
}

/* Finds the task of the record; 0: it is not traced. */
static __always_inline _Bool is_of_traced(struct slot *s)
{
	__u64 id = current_ids();

	s->tgid = id >> 32;
	s->tid = (__u32)id;
	return is_traced(s);
}

/* Is the current task of the user and in the group that are traced? */
static __always_inline _Bool is_of_owner(void)
{
	if (filter_uid && (__u32)bpf_get_current_uid_gid() != wanted_uid)
		return 0;
	if (filter_cgroup == 1 && bpf_current_task_under_cgroup(&cgroup, 0) != 1)
		return 0;
	return filter_cgroup < 2 || in_v1_cgroup((void *)bpf_get_current_task());
}

/* Is this CPU watched? Finds its state. */
static __always_inline _Bool cpu_wanted(struct slot *s)
{
	__u32 cpu = bpf_get_smp_processor_id();

	s->cpu = bpf_map_lookup_elem(&cpus, &cpu);
	return s->cpu && s->cpu->watched;
}

static __always_inline _Bool wanted_or_self(struct slot *s, _Bool self)
{
	if (!active || !cpu_wanted(s))
		return 0;
	/*
	 * All members are set in any case: a verifier of 5.10 sees reads of them even where they
	 * are unused.
	 */
	s->time_ns = STAMP_EARLY ? bpf_ktime_get_ns() : 0;
	s->self = self;
	s->tgid = s->tid = 0;
	s->is_woken = 0;
	if (span_late)
		return 1;
	if (!WHOSE_LATE && !is_of_traced(s))
		return 0;
	return is_of_owner();
}

static __always_inline _Bool wanted(struct slot *s)
{
	return wanted_or_self(s, 0);
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Counters in records: their values on the CPU when the record is made, or, by task, the part that
 * counted while the task ran, on whichever CPUs.
 */
#ifndef BPFPERF_COUNTERS_BPF_H
#define BPFPERF_COUNTERS_BPF_H

#include "knobs.bpf.h"
#include "maps.bpf.h"

/* Counter i of CPU c is at i * counter_stride + c; the loader fills the slots. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
	__uint(max_entries, 1);
} counters __weak SEC(".maps");

struct counter_set {
	struct wire_counter c[WIRE_COUNTERS_MAX];
};

/* The task that runs on a CPU, and the counters when it was switched in (since). */
struct counter_cpu {
	struct counter_set since, now;
	__u64 left_switches; /* the switch count of left when it was switched out */
	__u32 owner;
	__u32 left; /* owner of the last switch-out */
	__u32 known; /* 0: the members above are not valid */
	__u32 ended; /* thread that was switched out for the last time; 0: none */
};
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct counter_cpu);
} counter_cpus __weak SEC(".maps");

/* Counts of each task up to its last switch-out; entries of running tasks are not evicted. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct counter_set);
} counter_tasks __weak SEC(".maps");

/*
 * Number of times that a task ran without a traced switch to it. Some kernels trace no event of
 * some tasks, and so no switch from them to the next task.
 */
__u64 switches_untraced __weak = 0;

/* vmlinux.h lacks the members. */
struct task_struct___switches {
	unsigned long nvcsw, nivcsw;
} __attribute__((preserve_access_index));

/* The number of times that the task was switched out; grows before the tracepoint. */
static __always_inline __u64 switch_count(void *task)
{
	struct task_struct___switches *p = task;

	return BPF_CORE_READ(p, nvcsw) + BPF_CORE_READ(p, nivcsw);
}

/* Each CPU has its own idle task, and all of them have thread id 0. */
static __always_inline __u32 counter_owner(__u32 tid, __u32 cpu)
{
	return tid ? tid : WIRE_COUNTER_IDLE | cpu;
}

#define for_each_counter(i) for (i = 0; i < WIRE_COUNTERS_MAX && i < counter_cnt; i++)

/* Reads all counters of this CPU; a counter that cannot be read becomes all zero. */
static __always_inline void read_counters(struct wire_counter *to, __u32 cpu)
{
	__u32 i;

	for_each_counter(i)
		bpf_perf_event_read_value(&counters, i * counter_stride + cpu,
					  (struct bpf_perf_event_value *)&to[i], sizeof(to[i]));
}

/* Adds now - since to sum; sum may be now. */
static __always_inline void add_growth(struct wire_counter *sum, const struct wire_counter *now,
				       const struct wire_counter *since)
{
	__u32 i;

	for_each_counter(i)
	{
		sum[i].value += now[i].value - since[i].value;
		sum[i].enabled_ns += now[i].enabled_ns - since[i].enabled_ns;
		sum[i].running_ns += now[i].running_ns - since[i].running_ns;
	}
}

/*
 * Makes the task that is seen to run the owner. The growth since the last traced switch counts for
 * that task: it ran last, and what ran between that switch and this task cannot be told apart.
 */
static __always_inline void set_running(struct counter_cpu *state, __u32 owner)
{
	if (state->owner == owner)
		return;
	state->owner = owner;
	if (!(owner & WIRE_COUNTER_IDLE))
		__sync_fetch_and_add(&switches_untraced, 1);
}

/* Has this switch-out of the current task been accounted? Its sum is complete then. */
static __always_inline _Bool has_left(const struct counter_cpu *state, __u32 owner)
{
	return state->owner != owner && state->left == owner &&
	       state->left_switches == switch_count((void *)bpf_get_current_task());
}

/* Writes the counts of this task up to now into a record. */
static __always_inline void task_counters(struct wire_counter *to, __u32 tid, __u32 cpu)
{
	struct counter_cpu *state = bpf_map_lookup_elem(&counter_cpus, &cpu);
	__u32 owner = counter_owner(tid, cpu), i;
	struct counter_set *sum = bpf_map_lookup_elem(&counter_tasks, &owner);

	if (!state)
		return;
	if (!state->known) {
		/* No switch has been seen on this CPU yet: its task counts from here on. */
		read_counters(state->since.c, cpu);
		state->owner = owner;
		state->known = 1;
	}
	for_each_counter(i) to[i] = sum ? sum->c[i] : (struct wire_counter){};
	if (has_left(state, owner))
		return;
	set_running(state, owner);
	read_counters(state->now.c, cpu);
	add_growth(to, state->now.c, state->since.c);
}

static __noinline __attribute__((unused)) int take_counters(struct wire_counter *to, __u32 tid)
{
	__u32 cpu = bpf_get_smp_processor_id();

	if (counters_by_task)
		task_counters(to, tid, cpu);
	else
		read_counters(to, cpu);
	return 0;
}

#endif

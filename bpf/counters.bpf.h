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
	__u32 owner;
	__u32 known; /* 0: owner and since are not valid */
	__u32 ended; /* thread that was switched out for the last time; 0: none */
	__u32 pad;
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
	/* The task's switch-out may have been accounted already; then its sum is complete. */
	if (state->owner != owner)
		return;
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

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The maps and the switch that all program families share. */
#ifndef BPFPERF_MAPS_BPF_H
#define BPFPERF_MAPS_BPF_H

#include <bpf/bpf_helpers.h>

#include "wire.h"

/* The data rings, one per watched CPU; the loader fills the slots. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} rings __weak SEC(".maps");

/* State of each CPU; the loader sets max_entries to the number of possible CPUs. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wire_cpu);
} cpus __weak SEC(".maps");

/*
 * Watched tasks by thread id; where filter_tasks is on, the loader sets max_entries from pid_max.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wire_tasks);
} tasks __weak SEC(".maps");

/* The control group of -G (v2). */
struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} cgroup __weak SEC(".maps");

/*
 * Records leave the kernel only while this is 1. One switch for all programs makes tracing begin
 * and end everywhere at once, however long attaching and detaching take.
 */
int active __weak = 0;

/*
 * Whether records are counted by event (--budget): while the programs look for the event that makes
 * the most, and from the first stopped event on.
 */
int has_budgets __weak = 0;

/*
 * Budgets by tracepoint id; with --budget the loader sets max_entries from the events. No array:
 * ids of probes begin at 20,000, and the kernel takes 12 ms to make as many elements.
 */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wire_budget);
} budgets __weak SEC(".maps");

/*
 * Process id of CMD until its exec, if hide_cmd is on: until then the process runs bpfperf's code.
 * After the exec it is HIDDEN_NOBODY, not 0, which is the id of idle tasks, nor TASK_OUTSIDE.
 */
#define HIDDEN_NOBODY ((__u32)-2)
__u32 hidden_tgid __weak = 0;

/*
 * Processes that read files for bpfperf (src/reader), which user space sets as they begin and end:
 * the first own_reader_cnt elements count, 0 is a free one. They are not traced where bpfperf is
 * not.
 */
__u32 own_reader_cnt __weak = 0;
__u32 own_readers[WIRE_READERS_MAX] __weak = {};

/*
 * Bounds an index to the levels. A verifier of 5.10 accepts only the mask, in the register that is
 * used.
 */
static __always_inline __u64 level_index(__u32 i)
{
	__u64 index = i;

	barrier_var(index);
	index &= WIRE_LEVELS - 1;
	barrier_var(index);
	return index;
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The maps and the switch that every family shares. */
#ifndef BPFPERF_MAPS_BPF_H
#define BPFPERF_MAPS_BPF_H

#include <bpf/bpf_helpers.h>

#include "wire.h"

/* The data rings, one per watched CPU; the loader fills the slots in. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} rings __weak SEC(".maps");

/* By CPU; max_entries is set to the number of possible CPUs. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wire_cpu);
} cpus __weak SEC(".maps");

/* Watched tasks by thread id; max_entries is set from pid_max where filter_tasks is on. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wire_tasks);
} tasks __weak SEC(".maps");

/* -G of v2. */
struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} cgroup __weak SEC(".maps");

/*
 * Records leave the kernel only while this is 1. One switch for all programs,
 * so that tracing begins and ends everywhere at once, whatever attaching and
 * detaching takes.
 */
int active __weak = 0;

/* Are records counted by event (--budget)? While it looks for the one that makes the most, and from the first that is stopped on. */
int has_budgets __weak = 0;

/* By tracepoint id; max_entries is set from the events where there is a budget. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wire_budget);
} budgets __weak SEC(".maps");

/*
 * Process id of CMD until its exec, where hide_cmd is on: what it does before is bpfperf's doing.
 * From then on nobody's, which 0 is not: it is that of idle tasks.
 */
#define HIDDEN_NOBODY ((__u32)-1)
__u32 hidden_tgid __weak = 0;

/*
 * An index within the levels. The mask, in the register that is used, is what
 * a verifier of 5.10 believes.
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

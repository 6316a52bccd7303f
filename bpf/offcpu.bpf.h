/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The threads that are off the CPU: shared by the programs that note them. */
#ifndef BPFPERF_OFFCPU_BPF_H
#define BPFPERF_OFFCPU_BPF_H

#include <bpf/bpf_helpers.h>

#include "compat.bpf.h"
#include "wire.h"

/* The threads that are off the CPU, by thread id; the loader sets max_entries. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wire_offcpu_entry);
} away __weak SEC(".maps");

/* Number of threads that left the CPU and found no room in the map. */
__u64 away_refused __weak = 0;

/* vmlinux.h lacks the member. */
struct sched_entity___exec {
	__u64 sum_exec_runtime;
} __attribute__((preserve_access_index));
struct task_struct___exec {
	struct sched_entity___exec se;
} __attribute__((preserve_access_index));

/* Returns the CPU time of a task whose type the verifier knows. */
static __always_inline __u64 task_exec_ns(void *task)
{
	return ((struct task_struct___exec *)task)->se.sum_exec_runtime;
}

struct sched_info___ready {
	unsigned long long run_delay;
} __attribute__((preserve_access_index));
struct task_struct___ready {
	struct sched_info___ready sched_info;
} __attribute__((preserve_access_index));

/* Returns the time that the task was ready to run, up to when it came to the CPU last. */
static __always_inline __u64 task_ready_ns(void *task)
{
	struct task_struct___ready *t = task;

	if (!bpf_core_field_exists(t->sched_info.run_delay))
		return WIRE_NO_COUNT;
	return t->sched_info.run_delay;
}

#endif

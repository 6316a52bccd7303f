/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Counts of hits, by CPU and event, for programs that make no records (session/hit_counts.c). */
#ifndef BPFPERF_HITS_BPF_H
#define BPFPERF_HITS_BPF_H

#include "filter.bpf.h"

/* Counters of one CPU: its row. The loader sets this knob, and max_entries from it. */
const volatile __u32 hit_stride __weak = 1;
/*
 * A row for each CPU. An array per CPU would need a second load to find the counter's address:
 * where address spaces are switched at each entry, both miss the TLB, one behind the other.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} hit_counts __weak SEC(".maps");

/*
 * Variant of wanted() for a hit that is counted without a record: it does without the state of the
 * CPU and the ids of the task where no knob asks for them.
 */
static __always_inline _Bool hit_wanted(void)
{
	struct slot s = {};

	if (!active || ((filter_cpus || filter_comm) && !cpu_wanted(&s)))
		return 0;
	if ((self_tgid || hide_cmd || filter_tasks || filter_comm) && !is_of_traced(&s))
		return 0;
	return is_of_owner();
}

/*
 * Counts a hit of an event, by its number. Tasks can be preempted in the programs of uprobes (6.0),
 * so that another hit on the CPU may come between a load and its store.
 */
static __always_inline void count_hit_of(__u32 event)
{
	__u32 idx = bpf_get_smp_processor_id() * hit_stride + event;
	__u64 *hits;

	if (!hit_wanted())
		return;
	hits = bpf_map_lookup_elem(&hit_counts, &idx);
	if (hits)
		__sync_fetch_and_add(hits, 1);
}

#endif

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Counts the hits of probes by event and CPU, and sends nothing (session/count_session.c). */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "filter.bpf.h"
#include "instance.bpf.h"

/* Hits: those of all events on one CPU are adjacent. The loader sets both. */
const volatile __u32 hit_events = 1;
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} hit_counts SEC(".maps");

/* In a task the program may be preempted by itself on its CPU. */
static __always_inline void count(void *ctx)
{
	__u32 idx = site_index(ctx);
	struct slot s;
	__u64 *hits;

	if (!wanted(&s))
		return;
	idx += bpf_get_smp_processor_id() * hit_events;
	hits = bpf_map_lookup_elem(&hit_counts, &idx);
	if (hits)
		__sync_fetch_and_add(hits, 1);
}

SEC("kprobe")
int count_hit(void *ctx)
{
	count(ctx);
	return 0;
}

SEC("kprobe")
int count_kernel_hit(void *ctx)
{
	count(ctx);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";

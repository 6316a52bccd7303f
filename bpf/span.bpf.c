// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Forgets threads that have ended, of pairs of which the entry of a thread stays. */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "span.bpf.h"

/* Bit of each pair with starts that stay, by thread. */
const volatile __u32 span_stay_pairs = 0;

static __always_inline void forget(__u32 pair, __u32 thread)
{
	__u64 match[WIRE_SPAN_MATCH] = { pair, thread };
	struct wire_span_counts *counts = bpf_map_lookup_elem(&span_counts, &pair);

	if (span_forget(match) && counts)
		__sync_fetch_and_add(&counts->gone[0], 1);
}

/* The thread has left its CPU for the last time, and its id is not used again yet. */
SEC("tp_btf/sched_process_free")
int BPF_PROG(span_thread_gone, struct task_struct *p)
{
	__u32 pair;

	for (pair = 0; pair < WIRE_SPAN_PAIRS; pair++)
		if (active && span_stay_pairs >> pair & 1)
			forget(pair, (__u32)p->pid);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";

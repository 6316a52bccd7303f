// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Sends the batch of the CPU it runs on. It is attached to no event: the reader runs it on a CPU
 * with an old batch (BPF_PROG_TEST_RUN on a CPU, 5.10).
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "emit.bpf.h"

SEC("raw_tp")
int flush_batch(void *ctx)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct wire_cpu *c = bpf_map_lookup_elem(&cpus, &cpu);

	if (!c)
		return WIRE_FLUSHED;
	/* It runs as an interrupt, maybe in the midst of another program. */
	if (c->level)
		return WIRE_FLUSH_BUSY;
	if (!c->used)
		return WIRE_FLUSHED;
	c->level = 1;
	barrier();
	send_batch(ctx, c);
	barrier();
	c->level = 0;
	return WIRE_FLUSHED;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Counts the hits of probes by event and CPU, and sends nothing (session/count_session.c). */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "hits.bpf.h"
#include "instance.bpf.h"

SEC("kprobe")
int count_hit(void *ctx)
{
	count_hit_of(site_index(ctx));
	return 0;
}

SEC("kprobe")
int count_kernel_hit(void *ctx)
{
	count_hit_of(site_index(ctx));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";

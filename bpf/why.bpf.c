// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The time that hard and soft interrupts take from the tasks they interrupt. Interrupts of the
 * CPU's own timer have no tracepoint that all architectures share: the time of them counts as their
 * task's.
 */
#include <linux/bpf.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "maps.bpf.h"
#include "why.bpf.h"

SEC("tp_btf/irq_handler_entry")
int BPF_PROG(why_irq_entry)
{
	struct why_cpu *c = why_this_cpu();

	if (active && c)
		c->irq_at = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/irq_handler_exit")
int BPF_PROG(why_irq_exit)
{
	struct why_cpu *c = why_this_cpu();
	__u64 ns;

	if (!active || !c || !c->irq_at)
		return 0;
	ns = bpf_ktime_get_ns() - c->irq_at;
	c->irq_at = 0;
	c->irq_ns += ns;
	if (c->softirq_at)
		c->inner_ns += ns;
	return 0;
}

SEC("tp_btf/softirq_entry")
int BPF_PROG(why_softirq_entry)
{
	struct why_cpu *c = why_this_cpu();

	if (active && c) {
		c->inner_ns = 0;
		c->softirq_at = bpf_ktime_get_ns();
	}
	return 0;
}

SEC("tp_btf/softirq_exit")
int BPF_PROG(why_softirq_exit, unsigned int vec)
{
	struct why_cpu *c = why_this_cpu();
	__u64 ns;

	if (!active || !c || !c->softirq_at)
		return 0;
	ns = bpf_ktime_get_ns() - c->softirq_at - c->inner_ns;
	c->softirq_at = 0;
	c->softirq_ns[vec & (WHY_SOFTIRQS - 1)] += ns;
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";

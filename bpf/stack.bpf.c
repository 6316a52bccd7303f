// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * A call stack at each overflow of a sampling perf event. Needs no BTF.
 */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

#include "emit.bpf.h"

#define SIDE_SZ (WIRE_STACK_MAX * sizeof(__u64))

/*
 * Bytes that bpf_get_stack() wrote. What is compared must be the register that
 * is used: verifiers (seen up to 6.12) do not carry a bound over to its copy.
 */
static __always_inline __u64 stack_bytes(long n)
{
	__u64 sz = (__u64)n;

	barrier_var(sz);
	return sz <= SIDE_SZ ? sz : 0;
}

SEC("perf_event")
int take_stack(struct bpf_perf_event_data *ctx)
{
	struct wire_stack *rec;
	struct slot s;
	__u64 sz = 0;
	long n;

	if (!wanted(&s))
		return 0;
	rec = (void *)reserve_large_rec(ctx, &s, sizeof(*rec));
	if (!rec)
		return 0;
	rec->tid = s.tid;
	rec->period = ctx->sample_period;
	rec->kern_sz = 0;
	rec->user_sz = 0;
	if (stack_kern_sz) {
		n = bpf_get_stack(ctx, rec->addrs, stack_kern_sz, 0);
		rec->kern_sz = (__s16)n;
		sz = stack_bytes(n);
	}
	if (stack_user_sz) {
		n = bpf_get_stack(ctx, (void *)rec->addrs + sz, stack_user_sz, BPF_F_USER_STACK);
		rec->user_sz = (__s16)n;
		sz += stack_bytes(n);
	}
	commit_rec(ctx, &s, WIRE_SAMPLE, __builtin_offsetof(struct wire_stack, addrs) + sz);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Stacks of records: a stack is taken here, sent once as a definition, and referred to by its id
 * from then on. The id is a hash of the contents, so CPUs need not agree on numbers, and different
 * stacks get different ids.
 */
#ifndef BPFPERF_CALLSTACK_BPF_H
#define BPFPERF_CALLSTACK_BPF_H

#include "errno.bpf.h"
#include "knobs.bpf.h"
#include "maps.bpf.h"
#include "user_stack.bpf.h"

/*
 * Scratch space for the stack being taken, one per level of a CPU; the loader sets max_entries to
 * the number of possible CPUs.
 */
struct callstack_cpu {
	struct wire_stack_out level[WIRE_LEVELS];
};
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct callstack_cpu);
} callstack_cpus __weak SEC(".maps");

/* Ids whose definition is in a ring; the loader sets their maximum. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, __u32);
} callstacks __weak SEC(".maps");

/* The rings of definitions (separate_def_rings). */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} defs __weak SEC(".maps");

/* The table of ids is full: no new stacks are defined. */
_Bool callstacks_full __weak = 0;

#define CALLSTACK_SIDE_SZ (WIRE_STACK_MAX * sizeof(__u64))
#define SIDE_AT_MOST(sz) ((sz) < CALLSTACK_SIDE_SZ ? (sz) : CALLSTACK_SIDE_SZ)

/*
 * Returns the number of bytes that bpf_get_stack() wrote. The comparison must use the very register
 * that is used later: verifiers (seen up to 6.12) do not carry a bound over to a copy of it.
 */
static __always_inline __u64 callstack_bytes(long n, __u64 max_sz)
{
	__u64 sz = (__u64)n;

	barrier_var(sz);
	return sz <= max_sz ? sz : 0;
}

/* Addresses that one call of callstack_hash_run() takes. */
#define CALLSTACK_RUN 16

/*
 * Hashes by multiply and fold, word by word: up to CALLSTACK_RUN addresses of this CPU's level, of
 * which there are cnt, go into h. The loops are in two global functions: the verifier follows each
 * loop once, not again for each state of each caller, and not each of 254 addresses.
 */
__weak __noinline __u64 callstack_hash_run(__u64 h, __u32 level, __u32 at, __u32 cnt)
{
	__u32 cpu = bpf_get_smp_processor_id(), i;
	struct callstack_cpu *scratch = bpf_map_lookup_elem(&callstack_cpus, &cpu);
	const __u64 *addrs;

	if (!scratch)
		return h;
	addrs = scratch->level[level_index(level)].def.addrs;
#pragma clang loop unroll(disable)
	for (i = 0; i < CALLSTACK_RUN; i++) {
		__u64 k = at + i;

		barrier_var(k);
		if (k >= cnt || k >= 2 * WIRE_STACK_MAX)
			break;
		h = (h ^ addrs[k]) * 0xff51afd7ed558ccdull;
		h ^= h >> 32;
	}
	return h;
}

/* Returns the id of the first cnt addresses of this CPU's level. */
__weak __noinline __u64 callstack_hash(__u64 h, __u32 level, __u32 cnt)
{
	__u32 at;

	for (at = 0; at < 2 * WIRE_STACK_MAX; at += CALLSTACK_RUN) {
		if (at >= cnt)
			break;
		h = callstack_hash_run(h, level, at, cnt);
	}
	return h > WIRE_STACK_LOST ? h : ~h;
}

/* Adds the process to the id, since one address is a different function in each process. */
static __always_inline __u64 callstack_of_task(__u64 id, __u32 tgid)
{
	__u64 h = (id ^ tgid) * 0xff51afd7ed558ccdull;

	h ^= h >> 32;
	return h > WIRE_STACK_LOST ? h : ~h;
}

/* Sends the definition of an id. Returns 0 once it is in the ring. */
static __always_inline long callstack_define(void *ctx, struct wire_cpu *c,
					     struct wire_stack_out *out, __u64 sz)
{
	__u32 one = 1;
	long err;

	if (callstacks_full) {
		__sync_fetch_and_add(&c->stacks_refused, 1);
		return -E2BIG;
	}
	sz += __builtin_offsetof(struct wire_stack_def, addrs);
	barrier_var(sz);
	if (sz > sizeof(out->def))
		sz = sizeof(out->def);
	out->def.head.sz = (__u16)sz;
	out->def.head.kind = WIRE_STACK_DEF;
	out->lost = c->lost;
	if (separate_def_rings)
		err = bpf_perf_event_output(ctx, &defs, BPF_F_CURRENT_CPU, &out->lost,
					    sizeof(out->lost) + sz);
	else
		err = bpf_perf_event_output(ctx, &rings, BPF_F_CURRENT_CPU, &out->lost,
					    sizeof(out->lost) + sz);
	if (err) {
		__sync_fetch_and_add(&c->stacks_unsent, 1);
		return err;
	}
	/* Only now may the id be found: readers rely on its definition being in a ring. */
	if (map_errno(bpf_map_update_elem(&callstacks, &out->def.id, &one, BPF_ANY)) == -E2BIG)
		callstacks_full = 1;
	return 0;
}

/* user: with the user part. */
static __always_inline __u64 callstack_take(void *ctx, struct wire_cpu *c, __u32 level, _Bool user)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct callstack_cpu *scratch = bpf_map_lookup_elem(&callstack_cpus, &cpu);
	struct wire_stack_out *out;
	__u64 sz = 0, id;
	__u64 kern_max_sz = SIDE_AT_MOST(stack_kern_sz), user_max_sz = SIDE_AT_MOST(stack_user_sz);
	long n;

	if (!scratch)
		return WIRE_STACK_NONE;
	out = &scratch->level[level_index(level)];
	out->def.kern_sz = 0;
	out->def.user_sz = 0;
	out->def.user_end = 0;
	out->def.pad = 0;
	if (stack_kern_sz) {
		n = bpf_get_stack(ctx, out->def.addrs, kern_max_sz, 0);
		out->def.kern_sz = (__s16)n;
		sz = callstack_bytes(n, kern_max_sz);
	}
	if (user && stack_user_sz) {
		n = take_user_stack(ctx, level, 0, (void *)out->def.addrs + sz, user_max_sz,
				    &out->def.user_end);
		out->def.user_sz = (__s16)n;
		sz += callstack_bytes(n, user_max_sz);
	}
	if (!sz)
		return WIRE_STACK_NONE;
	id = callstack_hash(0x9e3779b97f4a7c15ull ^ (__u64)out->def.kern_sz, level,
			    (__u32)(sz / sizeof(__u64)));
	/* Aggregation sends no record that would name the process of the addresses. */
	if (agg_mode & WIRE_AGG_STACK) {
		out->def.head.tgid = (__u32)(current_ids() >> 32);
		out->def.head.time_ns = bpf_ktime_get_ns();
		if (out->def.user_sz > 0)
			id = callstack_of_task(id, out->def.head.tgid);
	}
	out->def.id = id;
	/* The key is not on the stack, where it would be one word too much for 5.10. */
	if (bpf_map_lookup_elem(&callstacks, &out->def.id))
		return id;
	return callstack_define(ctx, c, out, sz) ? WIRE_STACK_LOST : id;
}

/* Returns the id of the stack that the program was called from, or WIRE_STACK_NONE or _LOST. */
static __noinline __attribute__((unused)) __u64 take_callstack(void *ctx, struct wire_cpu *c,
							       __u32 level)
{
	return callstack_take(ctx, c, level, 1);
}

/* Takes the kernel part alone. */
static __noinline __attribute__((unused)) __u64 take_kernel_callstack(void *ctx, struct wire_cpu *c,
								      __u32 level)
{
	return callstack_take(ctx, c, level, 0);
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Aggregation: records are counted in the kernel instead of being sent. */
#ifndef BPFPERF_AGGREGATE_BPF_H
#define BPFPERF_AGGREGATE_BPF_H

#include "knobs.bpf.h"
#include "maps.bpf.h"

/* Cells indexed by event and bucket; the loader sets max_entries. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wire_cell);
} agg_cells __weak SEC(".maps");

/* Cells looked up by key; the loader sets key_size and max_entries. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 1);
	__uint(key_size, WIRE_SITE_KEYS * sizeof(__u64));
	__uint(value_size, sizeof(struct wire_cell));
} agg_table __weak SEC(".maps");

/* Returns the power of two that a value lies in: an index below WIRE_AGG_BUCKETS. */
static __always_inline __u64 agg_bucket(const struct patch_env *env)
{
	__u64 v = (__u64)env->value, bits = 0;

	if (env->value < 0 && !env->is_unsigned)
		return 0;
	if (!v)
		return 1;
	if (v >> 32) {
		bits += 32;
		v >>= 32;
	}
	if (v >> 16) {
		bits += 16;
		v >>= 16;
	}
	if (v >> 8) {
		bits += 8;
		v >>= 8;
	}
	if (v >> 4) {
		bits += 4;
		v >>= 4;
	}
	if (v >> 2) {
		bits += 2;
		v >>= 2;
	}
	return 2 + bits + (v >> 1);
}

/* Returns the cell of a key, creating it if there is none; NULL: the table is full. */
static __always_inline struct wire_cell *agg_cell_of_key(struct patch_env *env)
{
	struct wire_cell *cell = bpf_map_lookup_elem(&agg_table, env->key);

	if (!cell) {
		struct wire_cell none = {};

		/* If an interrupt has inserted the key meanwhile, its cell is kept. */
		bpf_map_update_elem(&agg_table, env->key, &none, BPF_NOEXIST);
		cell = bpf_map_lookup_elem(&agg_table, env->key);
	}
	return cell;
}

static __always_inline void aggregate(struct wire_cpu *c, __u32 level, struct patch_env *env)
{
	struct wire_cell *cell;
	__u64 i = level_index(level);

	env->key[WIRE_KEY_BUCKET] = agg_mode & WIRE_AGG_HIST ? agg_bucket(env) : 0;
	if (agg_mode & WIRE_AGG_BY) {
		cell = agg_cell_of_key(env);
	} else {
		__u32 index = (__u32)env->key[WIRE_KEY_EVENT];

		if (agg_mode & WIRE_AGG_HIST)
			index = index * WIRE_AGG_BUCKETS + (__u32)env->key[WIRE_KEY_BUCKET];
		cell = bpf_map_lookup_elem(&agg_cells, &index);
	}
	if (!cell) {
		__sync_fetch_and_add(&c->not_counted, 1);
		return;
	}
	cell->cnt[i]++;
	if (agg_mode & WIRE_AGG_SUM)
		cell->sum[i] += env->value;
}

/*
 * Is a record of this event due? Each level of each CPU keeps its own sum, like a CPU of its own.
 */
static __always_inline _Bool agg_period_is_over(__u32 level, struct patch_env *env)
{
	__u32 index = (__u32)env->key[WIRE_KEY_EVENT];
	struct wire_cell *cell = bpf_map_lookup_elem(&agg_cells, &index);
	__u64 i = level_index(level), sum;

	if (!cell)
		return 1;
	sum = (__u64)(cell->sum[i] + env->value);
	if (sum < env->period) {
		cell->sum[i] = (__s64)sum;
		return 0;
	}
	cell->sum[i] = (__s64)(sum % env->period);
	return 1;
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Pairs of events: the time from a start to the end with the same key is counted into a histogram.
 * Generated code of an event's end and of its start (patch_point.bpf.h) has stored the keys in the
 * environment.
 */
#ifndef BPFPERF_SPAN_BPF_H
#define BPFPERF_SPAN_BPF_H

#include "callstack.bpf.h"
#include "errno.bpf.h"
#include "knobs.bpf.h"
#include "maps.bpf.h"
#include "span_wire.h"

/* A start that waits; the map has a part of it (struct wire_span). */
struct span_start {
	__u64 start_ns;
	__u64 from[WIRE_SPAN_ROW];
	__u64 stack, tgid;
	__u64 entry_sz;
	__u8 entry[WIRE_SPAN_ENTRY];
};

/* Starts that wait for their end; the loader sets the sizes. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__uint(key_size, WIRE_SPAN_MATCH * sizeof(__u64));
	__uint(value_size, sizeof(struct span_start));
} span_starts __weak SEC(".maps");

/*
 * Starts of pairs whose entries stay (WIRE_SPAN_STAYS), found by an index, without the search of a
 * hash table. A slot is its key's that has claimed it, by an entry of span_starts, until the thread
 * is gone; a key that finds its slot taken has an entry of span_starts for itself. The loader sets
 * the sizes, and reads this map and span_hot by mmap.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct wire_span_slot));
} span_slots __weak SEC(".maps");

/* Durations by row and bucket that came first to their index on a CPU; all others: span_cells. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct wire_span_hot));
} span_hot __weak SEC(".maps");

/* Durations by row and bucket; the loader sets the sizes. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 1);
	__uint(key_size, WIRE_SPAN_ROW * sizeof(__u64));
	__uint(value_size, sizeof(struct wire_span_cell));
} span_cells __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WIRE_SPAN_PAIRS);
	__type(key, __u32);
	__type(value, struct wire_span_counts);
} span_counts __weak SEC(".maps");

/* Are the first cnt words equal? A knob as cnt lets the verifier drop the rest. */
#define SPAN_SAME(a, b, max, cnt)                                                                  \
	({                                                                                         \
		__u64 differ_ = 0;                                                                 \
		__u32 w_;                                                                          \
		_Pragma("unroll") for (w_ = 0; w_ < (max); w_++) if (w_ < (cnt)) differ_ |=        \
			(a)[w_] ^ (b)[w_];                                                         \
		!differ_;                                                                          \
	})

/* Consecutive threads never share a slot. */
static __always_inline __u32 span_slot_index(const __u64 *match)
{
	return (__u32)(match[0] * 4099 + match[1] + match[2] * 61) & (WIRE_SPAN_SLOTS - 1);
}

/* Finds the start of a key whose entry stays: in its slot, if it has claimed one. */
static __always_inline struct span_start *span_find(const __u64 *match)
{
	__u32 index = span_slot_index(match);
	struct wire_span_slot *slot = bpf_map_lookup_elem(&span_slots, &index);

	/* With --each, starts have more words than a slot. */
	if (!span_each && slot && slot->claimed &&
	    SPAN_SAME(slot->match, match, WIRE_SPAN_MATCH, span_match_words))
		return (void *)&slot->start_ns;
	return bpf_map_lookup_elem(&span_starts, match);
}

/* Stores the key of the entry by which a slot is claimed. */
static __always_inline void span_claim_key(__u64 *claim, __u32 index)
{
	__u32 w;

	claim[0] = WIRE_SPAN_PAIRS;
	claim[1] = index;
#pragma unroll
	for (w = 2; w < WIRE_SPAN_MATCH; w++)
		claim[w] = 0;
}

/*
 * Claims the slot for a key that has no entry yet; NULL: it is taken. Of two keys that want it at
 * once, on two CPUs, the hash table takes one. claim: memory for a key; unused: a value.
 */
static __always_inline struct span_start *span_claim(const __u64 *match, __u64 *claim,
						     const void *unused)
{
	__u32 index = span_slot_index(match), w;
	struct wire_span_slot *slot = bpf_map_lookup_elem(&span_slots, &index);

	if (span_each || !slot || slot->claimed)
		return NULL;
	span_claim_key(claim, index);
	if (bpf_map_update_elem(&span_starts, claim, unused, BPF_NOEXIST))
		return NULL;
#pragma unroll
	for (w = 0; w < WIRE_SPAN_MATCH; w++)
		if (w < span_match_words)
			slot->match[w] = match[w];
	barrier();
	slot->claimed = 1;
	return (void *)&slot->start_ns;
}

/* Forgets a key and its start. Returns 1 if the start waited for its end. match is overwritten. */
static __always_inline _Bool span_forget(__u64 *match)
{
	struct span_start *start = span_find(match);
	__u32 index = span_slot_index(match);
	struct wire_span_slot *slot;
	_Bool waited;

	if (!start)
		return 0;
	waited = start->start_ns != 0;
	start->start_ns = 0;
	if (!bpf_map_delete_elem(&span_starts, match))
		return waited;
	slot = bpf_map_lookup_elem(&span_slots, &index);
	if (slot)
		slot->claimed = 0;
	span_claim_key(match, index);
	bpf_map_delete_elem(&span_starts, match);
	return waited;
}

static __always_inline struct wire_span_counts *span_counts_of(const struct wire_span *span)
{
	__u32 pair = (__u32)span->match[0];

	return bpf_map_lookup_elem(&span_counts, &pair);
}

/* Finds the cell of a row and bucket, and makes it if there is none. */
static __always_inline struct wire_span_cell *span_cell(const __u64 *row)
{
	struct wire_span_cell *cell = bpf_map_lookup_elem(&span_cells, row);

	if (!cell) {
		struct wire_span_cell none = {};

		/* If an interrupt has inserted the key meanwhile, its cell is kept. */
		bpf_map_update_elem(&span_cells, row, &none, BPF_NOEXIST);
		cell = bpf_map_lookup_elem(&span_cells, row);
	}
	return cell;
}

/* Names a row's place on a CPU. */
static __always_inline __u32 span_hash(const __u64 *row)
{
	__u64 h = 0;
	__u32 w;

#pragma unroll
	for (w = 0; w < WIRE_SPAN_ROW; w++)
		if (w < span_words)
			h = (h ^ row[w]) * 0x9e3779b97f4a7c15;
	return (__u32)(h >> 32) & span_hot_mask;
}

/*
 * Counts into the place that the row's hash names, if that is free or the row's own. Programs on
 * level 0 never meet another one that claims a place of this CPU.
 */
static __always_inline _Bool span_count_hot(const __u64 *row, __u64 ns)
{
	__u32 cpu = bpf_get_smp_processor_id(), at, w;
	struct wire_span_hot *hot;

	at = cpu * (span_hot_mask + 1) + span_hash(row);
	hot = bpf_map_lookup_elem(&span_hot, &at);
	if (!hot)
		return 0;
	if (!hot->cnt) {
#pragma unroll
		for (w = 0; w < WIRE_SPAN_ROW; w++)
			if (w < span_words)
				hot->row[w] = row[w];
		barrier();
	} else if (!SPAN_SAME(hot->row, row, WIRE_SPAN_ROW, span_words)) {
		return 0;
	}
	hot->cnt++;
	hot->ns += ns;
	if (ns > hot->max_ns)
		hot->max_ns = ns;
	return 1;
}

static __always_inline void span_count(struct wire_span_counts *counts, __u64 *row, __u64 pair,
				       __u64 ns, __u64 i)
{
	struct wire_span_cell *cell;

	counts->matched[i]++;
	row[WIRE_SPAN_PAIR] = pair;
	row[WIRE_SPAN_BUCKET] = wire_span_bucket(ns);
	if (!i && span_count_hot(row, ns))
		return;
	cell = span_cell(row);
	if (!cell) {
		counts->uncounted[i]++;
		return;
	}
	cell->cnt[i]++;
	cell->ns[i] += ns;
	if (ns > cell->max_ns[i])
		cell->max_ns[i] = ns;
}

/* Is the duration one that is sent? Adds it and the start's entry to the record of the end. */
static __always_inline int span_extend(struct wire_rec *rec, const struct wire_span *span,
				       const struct span_start *start, __u64 ns)
{
	struct wire_span_ext *ext = (void *)(rec + 1);

	if (!span_each || ns < span_min_ns)
		return 0;
	ext->ns = ns;
	ext->start_stack = start->stack;
	ext->start_tgid = start->tgid;
	ext->pair = (__u32)span->match[0];
	ext->start_sz =
		start->entry_sz > sizeof(ext->start) ? sizeof(ext->start) : (__u32)start->entry_sz;
	bpf_probe_read_kernel(ext->start, sizeof(ext->start), start->entry);
	return 1;
}

/*
 * The end of a pair. Deleting decides which of two ends with one key has matched: a start counts
 * once, whatever other CPUs do meanwhile. Returns 1 if the record of the end is to be sent.
 */
static __noinline __attribute__((unused)) int span_end(struct wire_cpu *c, __u32 level,
						       struct wire_rec *rec)
{
	__u64 now_ns = bpf_ktime_get_ns();
	struct wire_span *span = &c->env[level_index(level)].span;
	struct wire_span_counts *counts = span_counts_of(span);
	struct span_start *start;
	__u64 i = level_index(level), ns;
	int sent;
	__u32 w;

	if (!counts)
		return 0;
	counts->ends[i]++;
	if (span->flags & WIRE_SPAN_STAYS)
		start = span_find(span->match);
	else
		start = bpf_map_lookup_elem(&span_starts, span->match);
	if (!start || !start->start_ns) {
		counts->without_start[i]++;
		return 0;
	}
	ns = now_ns > start->start_ns ? now_ns - start->start_ns : 0;
#pragma unroll
	for (w = WIRE_SPAN_REST; w < WIRE_SPAN_ROW; w++)
		if (w < span_words)
			span->row[w] |= start->from[w];
	sent = span_extend(rec, span, start, ns);
	if (span->flags & WIRE_SPAN_STAYS) {
		start->start_ns = 0;
	} else if (bpf_map_delete_elem(&span_starts, span->match)) {
		counts->without_start[i]++;
		return 0;
	}
	span_count(counts, span->row, span->match[0], ns, i);
	return sent;
}

/* Replaces a start that stays in the map. */
static __always_inline void span_restart(struct wire_span_counts *counts,
					 const struct wire_span *span, struct span_start *start,
					 __u64 i)
{
	__u32 w;

	if (start->start_ns) {
		counts->overwritten[i]++;
		if (span->flags & WIRE_SPAN_FIRST)
			return;
	}
#pragma unroll
	for (w = WIRE_SPAN_REST; w < WIRE_SPAN_ROW; w++)
		if (w < span_words)
			start->from[w] = span->from[w];
	if (span_each) {
		start->stack = span->stack;
		start->tgid = span->tgid;
		start->entry_sz = span->entry_sz;
		bpf_probe_read_kernel(start->entry, sizeof(start->entry), span->entry);
	}
	start->start_ns = bpf_ktime_get_ns();
}

/* Inserts a start; one with its key may wait already. */
static __always_inline void span_insert(struct wire_span_counts *counts, struct wire_span *span,
					__u64 i)
{
	int err;

	span->start_ns = bpf_ktime_get_ns();
	err = map_errno(
		bpf_map_update_elem(&span_starts, span->match, &span->start_ns, BPF_NOEXIST));
	if (err == -EEXIST && span->flags & WIRE_SPAN_FIRST) {
		counts->overwritten[i]++;
		return;
	}
	if (err == -EEXIST) {
		err = bpf_map_update_elem(&span_starts, span->match, &span->start_ns, BPF_EXIST);
		if (!err) {
			counts->overwritten[i]++;
			return;
		}
		/* Its end has come meanwhile, on another CPU. */
		err = bpf_map_update_elem(&span_starts, span->match, &span->start_ns, BPF_NOEXIST);
	}
	if (err)
		counts->refused[i]++;
}

static __noinline __attribute__((unused)) int span_begin(struct wire_cpu *c, __u32 level,
							 const void *entry, __u64 sz)
{
	struct wire_span *span = &c->env[level_index(level)].span;
	struct wire_span_counts *counts = span_counts_of(span);
	struct span_start *start = NULL;
	__u64 i = level_index(level);

	if (!counts)
		return 0;
	counts->starts[i]++;
	if (span_each) {
		span->entry_sz = sz;
		bpf_probe_read_kernel(span->entry, sizeof(span->entry), entry);
	}
	/* The end has been counted already: the words of its row are free. */
	if (span->flags & WIRE_SPAN_STAYS)
		start = span_find(span->match) ?: span_claim(span->match, span->row, span);
	if (start)
		span_restart(counts, span, start, i);
	else
		span_insert(counts, span, i);
	return 0;
}

#endif

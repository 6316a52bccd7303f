/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * How a record is made, sent and accounted for:
 *
 *     if (!wanted(&s))
 *             return 0;
 *     e = reserve(&s);            space for the entry, or NULL
 *     …                           the program fills it in
 *     commit(ctx, &s, id, sz);    head, patch point, time; sent with the batch
 */
#ifndef BPFPERF_EMIT_BPF_H
#define BPFPERF_EMIT_BPF_H

#include "alarm.bpf.h"
#include "callstack.bpf.h"
#include "counters.bpf.h"
#include "errno.bpf.h"
#include "aggregate.bpf.h"
#include "filter.bpf.h"
#include "patch_point.bpf.h"
#include "span.bpf.h"

#define ROUND_UP_8(sz) (((sz) + 7) & ~7u)

static __noinline int count_loss(struct wire_cpu *c, long err, __u32 cnt)
{
	if (err == -ENOSPC)
		__sync_fetch_and_add(&c->lost_full, cnt);
	else if (err == -EBUSY)
		__sync_fetch_and_add(&c->lost_nested, cnt);
	else if (err == -ENOENT)
		__sync_fetch_and_add(&c->lost_no_ring, cnt);
	else
		__sync_fetch_and_add(&c->lost_other, cnt);
	__sync_fetch_and_add(&c->lost, cnt);
	return 0;
}

/* Sends the batch. The caller holds the CPU's level 0, so no other program adds to the batch. */
static __noinline int send_batch(void *ctx, struct wire_cpu *c)
{
	__u32 cnt = c->cnt;
	__u64 sz = c->used;
	long err;

	/* The size stays in one register up to the helper, or old verifiers lose the bound. */
	barrier_var(sz);
	if (sz > sizeof(c->batch))
		sz = sizeof(c->batch);
	c->batch_lost = c->lost;
	err = bpf_perf_event_output(ctx, &rings, BPF_F_CURRENT_CPU, &c->batch_lost,
				    sizeof(c->batch_lost) + sz);
	c->produced[0] += cnt;
	c->used = 0;
	c->cnt = 0;
	if (err)
		count_loss(c, err, cnt);
	return 0;
}

/* Returns the slot of a level from 1 on. */
static __always_inline struct wire_nest *nest_of(struct wire_cpu *c, __u32 level)
{
	return &c->nest[level_index(level - 1)];
}

/* Sends the record of an interrupt that hit while another program was running. */
static __noinline int send_nested(void *ctx, struct wire_cpu *c, __u32 level, __u64 sz)
{
	struct wire_nest *n = nest_of(c, level);
	long err;

	barrier_var(sz);
	if (sz > sizeof(n->data))
		sz = sizeof(n->data);
	n->lost = c->lost;
	c->produced[level_index(level)]++;
	err = bpf_perf_event_output(ctx, &rings, BPF_F_CURRENT_CPU, &n->lost, sizeof(n->lost) + sz);
	if (err)
		count_loss(c, err, 1);
	return 0;
}

/*
 * Counts a record that finds no slot, because more programs are nested on the CPU than it has
 * levels.
 */
static __noinline int refuse_level(struct wire_cpu *c)
{
	__sync_fetch_and_add(&c->produced_refused, 1);
	return count_loss(c, -EBUSY, 1);
}

/* Returns space for a record of at most WIRE_REC_MAX bytes; NULL: there is none (counted). */
static __always_inline struct wire_rec *reserve_rec(struct slot *s)
{
	struct wire_cpu *c = s->cpu;
	__u32 level = c->level;

	/*
	 * Both are set on all return paths, or compilers spill values that verifiers have not seen
	 * written.
	 */
	s->level = level;
	s->rec = NULL;
	if (level >= WIRE_LEVELS) {
		refuse_level(c);
		return NULL;
	}
	c->level = level + 1;
	/* From here on interrupts use other slots. */
	barrier();
	if (level)
		s->rec = (void *)nest_of(c, level)->data;
	else
		s->rec = (void *)(c->batch + (c->used & (WIRE_BATCH_SZ - 8)));
	return s->rec;
}

/*
 * Variant of reserve_rec() for a large record: the batch is sent first if the record might not fit.
 */
static __always_inline struct wire_rec *reserve_large_rec(void *ctx, struct slot *s, __u32 sz)
{
	struct wire_rec *rec = reserve_rec(s);

	if (rec && !s->level && s->cpu->used && s->cpu->used + sz > batch_sz) {
		send_batch(ctx, s->cpu);
		s->rec = rec = (void *)s->cpu->batch;
	}
	return rec;
}

/* Gives the space back: the record turned out to be unwanted. */
static __always_inline void drop(struct slot *s)
{
	barrier();
	s->cpu->level = s->level;
}

/* Stamps the record of sz bytes, head included, and sends it with its batch. */
static __always_inline void commit_rec(void *ctx, struct slot *s, __u16 kind, __u64 sz)
{
	struct wire_cpu *c = s->cpu;
	struct wire_rec *rec = s->rec;

	rec->sz = (__u16)sz;
	rec->kind = kind;
	rec->tgid = s->tgid;
	rec->time_ns = STAMP_EARLY ? s->time_ns : bpf_ktime_get_ns();
	sz = ROUND_UP_8(sz);
	if (s->level) {
		send_nested(ctx, c, s->level, sz);
	} else {
		__u32 used = c->used + (__u32)sz;

		c->cnt++;
		c->used = used;
		if (used >= batch_sz)
			send_batch(ctx, c);
	}
	drop(s);
}

/* Bytes before the entry of a tracepoint record. */
#define ENTRY_AT (sizeof(struct wire_rec) + ext_sz)

/*
 * Returns space for a tracepoint's entry, 8-byte aligned, so that fields are aligned as in the
 * kernel.
 */
static __always_inline void *reserve(struct slot *s)
{
	struct wire_rec *rec = reserve_rec(s);

	return rec ? (void *)rec + ENTRY_AT : NULL;
}

static __always_inline void *reserve_large(void *ctx, struct slot *s, __u32 sz)
{
	struct wire_rec *rec = reserve_large_rec(ctx, s, sz + ENTRY_AT);

	return rec ? (void *)rec + ENTRY_AT : NULL;
}

/*
 * Zeroes the padding between fields, which would else have bytes of an earlier record; commit()
 * fills in the common fields.
 */
#define clear_fields(entry, end)                                                                   \
	__builtin_memset((void *)(entry) + sizeof(struct wire_entry), 0,                           \
			 (void *)(end) - (void *)(entry) - sizeof(struct wire_entry))

/* In memory of its own: frames of old kernels have no room to spare. */
static const volatile struct wire_budget no_records;

/*
 * Counts a record of the event. Returns 1 if the event is stopped, in which case the record is not
 * sent.
 */
static __noinline int is_stopped(__u32 id)
{
	struct wire_budget *b = bpf_map_lookup_elem(&budgets, &id);

	if (!b) {
		bpf_map_update_elem(&budgets, &id, (const void *)&no_records, BPF_NOEXIST);
		b = bpf_map_lookup_elem(&budgets, &id);
	}
	if (!b)
		return 0;
	if (!(b->skipped & WIRE_STOPPED)) {
		__sync_fetch_and_add(&b->made, 1);
		return 0;
	}
	__sync_fetch_and_add(&b->skipped, 1);
	return 1;
}

/* Is the start or the end of a pair that of a traced task? */
static __always_inline _Bool span_wanted(struct slot *s, const struct patch_env *env)
{
	if (!span_late || !(env->span.flags & WIRE_SPAN_TASK))
		return 1;
	return is_traced(s) && (s->is_woken || is_of_owner());
}

/*
 * Counts the pair that the entry ends, then the one that it begins. The record is sent only as that
 * of an end, with --each.
 */
static __always_inline void commit_spans(void *ctx, struct slot *s, __u16 kind, __u16 id, __u64 sz)
{
	struct patch_env *env = &s->cpu->env[level_index(s->level)];
	struct wire_entry *entry = (void *)s->rec + ENTRY_AT;
	int sent = 0;

	if (span_late && !s->is_woken) {
		__u64 ids = current_ids();

		s->tgid = ids >> 32;
		s->tid = (__u32)ids;
		entry->pid = (__s32)s->tid;
	}
	fill_env(env, s->tid, s->tgid);
	if (patch_point(entry, id, env) && span_wanted(s, env))
		sent = span_end(s->cpu, s->level, s->rec);
	if (start_point(entry, id, env) && span_wanted(s, env)) {
		if (kind == WIRE_TP_COMPAT && env->span.flags & WIRE_SPAN_CALL)
			env->span.from[WIRE_SPAN_REST] |= WIRE_SPAN_COMPAT;
		/* Called from here: up to 5.10 the stacks of programs hold no deeper calls. */
		if (agg_mode & WIRE_AGG_STACK) {
			env->span.from[WIRE_SPAN_STACK] = take_callstack(ctx, s->cpu, s->level);
		} else if (span_each && has_callstack) {
			env->span.stack = take_callstack(ctx, s->cpu, s->level);
			env->span.tgid = current_ids() >> 32;
		}
		span_begin(s->cpu, s->level, entry, sz);
	}
	if (span_each && sent) {
		struct wire_span_ext *ext = (void *)(s->rec + 1);

		if (has_callstack && !(agg_mode & WIRE_AGG_STACK))
			ext->stack = take_callstack(ctx, s->cpu, s->level);
		commit_rec(ctx, s, kind, ENTRY_AT + sz);
	} else {
		drop(s);
	}
}

/*
 * Completes an entry of sz bytes, of which the caller has filled in all but the common fields.
 * kind: WIRE_TP or WIRE_TP_COMPAT.
 */
static __always_inline void commit_kind(void *ctx, struct slot *s, __u16 kind, __u16 id, __u64 sz)
{
	struct wire_entry *entry = (void *)s->rec + ENTRY_AT;
	_Bool alarm = 0;

	entry->type = id;
	entry->flags = 0;
	entry->preempt_count = 0;
	entry->pid = (__s32)s->tid;
	if (count_spans) {
		commit_spans(ctx, s, kind, id, sz);
		return;
	}
	if (has_patch_point) {
		struct patch_env *env = &s->cpu->env[level_index(s->level)];

		fill_env(env, s->tid, s->tgid);
		if (has_trigger)
			env->triggered = 0;
		if (!patch_point(entry, id, env)) {
			drop(s);
			return;
		}
		if (WHOSE_LATE) {
			if (!is_of_traced(s)) {
				drop(s);
				return;
			}
			entry->pid = (__s32)s->tid;
		}
		if (agg_mode & WIRE_AGG_PERIOD && !agg_period_is_over(s->level, env)) {
			drop(s);
			return;
		}
		if (agg_mode & WIRE_AGG_ON) {
			if (agg_mode & WIRE_AGG_STACK)
				env->key[WIRE_KEY_STACK] = take_callstack(ctx, s->cpu, s->level);
			aggregate(s->cpu, s->level, env);
			drop(s);
			return;
		}
		alarm = has_trigger && env->triggered;
	}
	/* A record that triggers is always sent: the dump must contain it. */
	if (has_budgets && !alarm && is_stopped(id)) {
		drop(s);
		return;
	}
	if (has_callstack)
		*(__u64 *)(s->rec + 1) = take_callstack(ctx, s->cpu, s->level);
	if (counter_cnt)
		take_counters((void *)(s->rec + 1) + (has_callstack ? sizeof(__u64) : 0), s->tid);
	commit_rec(ctx, s, kind, ENTRY_AT + sz);
	if (alarm)
		raise_alarm(ctx);
}

static __always_inline void commit(void *ctx, struct slot *s, __u16 id, __u64 sz)
{
	commit_kind(ctx, s, WIRE_TP, id, sz);
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* How a record leaves the kernel, and how it is accounted for. */
#ifndef BPFPERF_EMIT_BPF_H
#define BPFPERF_EMIT_BPF_H

#include "filter.bpf.h"

/* Linux errno values: the same on all architectures bpfperf knows. */
#define ENOENT 2
#define EBUSY 16
#define ENOSPC 28

static __noinline int count_loss(struct wire_cpu_stats *stats, long err)
{
	if (!stats)
		return 0;
	if (err == -ENOSPC)
		__sync_fetch_and_add(&stats->lost_full, 1);
	else if (err == -EBUSY)
		__sync_fetch_and_add(&stats->lost_nested, 1);
	else if (err == -ENOENT)
		__sync_fetch_and_add(&stats->lost_no_ring, 1);
	else
		__sync_fetch_and_add(&stats->lost_other, 1);
	return 0;
}

/*
 * Sends sz bytes. `produced` is counted first and atomically (an interrupt's
 * program may count between load and store), so that at the end
 * produced = delivered + lost can be checked to the record.
 */
static __always_inline void emit(void *ctx, const struct origin *o, void *rec, __u64 sz)
{
	long err;

	__sync_fetch_and_add(&o->stats->produced, 1);
	err = bpf_perf_event_output(ctx, &rings, BPF_F_CURRENT_CPU, rec, sz);
	if (err)
		count_loss(o->stats, err);
}

/*
 * How a program holds a tracepoint record (struct wire_tp) on its stack: with
 * 4 bytes in front that are not sent, so that the entry and all its fields
 * are aligned as in the kernel and every store is one instruction.
 */
struct tp_head {
	__u32 not_sent;
	__u32 tgid;
	__u64 time_ns;
	struct wire_entry entry;
} __attribute__((aligned(8)));

/* Bytes of a record struct that lie before its entry. */
#define ENTRY_AT __builtin_offsetof(struct tp_head, entry)

static __always_inline void fill_head(struct tp_head *head, const struct origin *o, __u16 id)
{
	head->tgid = o->tgid;
	head->time_ns = bpf_ktime_get_ns();
	head->entry.type = id;
	head->entry.flags = 0;
	head->entry.preempt_count = 0;
	head->entry.pid = (__s32)o->tid;
}

/* Sends a record that begins with a struct tp_head; sz is the whole struct's. */
static __always_inline void emit_tp(void *ctx, const struct origin *o, struct tp_head *head,
				    __u64 sz)
{
	emit(ctx, o, &head->tgid, sz - sizeof(head->not_sent));
}

#endif

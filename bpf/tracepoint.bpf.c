// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Any tracepoint, through its classic attachment: the kernel has built the record, and the program
 * copies it. Needs no BTF.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "emit.bpf.h"
#include "instance.bpf.h"

/* Events by attach cookie; the loader sets max_entries to the number of classic events. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wire_tp_info);
} tp_infos SEC(".maps");

/* Before 5.15 the kernel has no attach cookies, and one instance is loaded per event. */
static __always_inline __u32 event_index(void *ctx)
{
	return has_attach_cookie ? (__u32)bpf_get_attach_cookie(ctx) : instance_index();
}

/*
 * Returns the size of the record: up to the end of its last dynamic field, which ends the record.
 */
static __always_inline __u64 entry_size(void *ctx, const struct wire_tp_info *info)
{
	__u32 loc, end;

	if (!info->dyn_off)
		return info->fixed_sz;
	if (bpf_probe_read_kernel(&loc, sizeof(loc), ctx + info->dyn_off))
		return info->fixed_sz;
	end = (loc & 0xffff) + (loc >> 16);
	if (info->dyn_rel)
		end += info->dyn_off + sizeof(loc);
	return end > info->fixed_sz ? end : info->fixed_sz;
}

/* Some events have an empty_cnt. */
const volatile _Bool has_empty_data = 0;

/* Appends cnt empty dynamic fields to the `fixed` bytes of the entry. Returns its size. */
static __always_inline __u64 put_empty(void *entry, __u64 fixed, __u32 cnt)
{
	__u64 end = (fixed & 127) + (cnt & 3) * sizeof(__u32);
	__u32 i;

	/* Also zeroes a byte behind them: filters read an empty text up to its NUL. */
	for (i = 0; i < WIRE_DATA_FIELDS + 1; i++)
		*(__u32 *)(entry + (fixed & 127) + i * sizeof(__u32)) = i < cnt ? (__u32)end : 0;
	return end;
}

SEC("tracepoint")
int classic_tp(void *ctx)
{
	struct wire_tp_info *info;
	struct slot s;
	void *entry;
	__u32 idx;
	__u64 sz;

	idx = event_index(ctx);
	info = bpf_map_lookup_elem(&tp_infos, &idx);
	if (!info)
		goto out;
	if (!info->ran)
		info->ran = 1;
	if (!wanted(&s))
		goto out;
	sz = entry_size(ctx, info);
	/* The size stays in one register up to the helper, or old verifiers lose the bound. */
	barrier_var(sz);
	if (sz > WIRE_ENTRY_MAX)
		sz = WIRE_ENTRY_MAX;
	entry = reserve_large(ctx, &s, (__u32)sz);
	if (!entry)
		goto out;
	/*
	 * Repeated, because for a verifier of 5.10 a register that was spilled has lost its bound.
	 */
	barrier_var(sz);
	if (sz > WIRE_ENTRY_MAX)
		sz = WIRE_ENTRY_MAX;
	/* The first 8 bytes of ctx hold a pt_regs pointer in place of the common fields. */
	bpf_probe_read_kernel(entry, (__u32)sz, ctx);
	if (has_empty_data && info->empty_cnt)
		sz = put_empty(entry, sz, info->empty_cnt);
	commit(ctx, &s, info->id, sz);
out:
	/* 0 would hide the event from every other perf user of the machine. */
	return 1;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";

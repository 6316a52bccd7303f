/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* State that the programs of system calls share with those of signals, exits and execs. */
#ifndef BPFPERF_STRACE_STATE_BPF_H
#define BPFPERF_STRACE_STATE_BPF_H

#include "emit.bpf.h"
#include "strace_wire.h"

#define SIGKILL 9

/* Calls are counted by strace_counts, and not sent. */
const volatile _Bool strace_counts_only __weak = 0;

/* The last bits of a thread's id are the number of its slot. */
const volatile __u32 strace_slot_mask __weak = STRACE_THREADS - 1;

/*
 * The threads that have made a call, by the kernel's thread id. A thread keeps the slot of its id
 * until its end: a slot is found in a tenth of the time of a search in a hash table. Threads whose
 * slot is another one's are in the table.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, STRACE_THREADS);
	__type(key, __u32);
	__type(value, struct strace_thread);
} strace_slots __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, STRACE_THREADS);
	__type(key, __u32);
	__type(value, struct strace_thread);
} strace_threads __weak SEC(".maps");

/* The slots that are taken: of two threads that want one, the table lets one have it. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, STRACE_THREADS);
	__type(key, __u32);
	__type(value, __u32);
} strace_owners __weak SEC(".maps");

/* A new thread's state; its entry is written later. */
static const struct strace_thread no_thread = {};

/* Returns the state of a thread; NULL: it has none. */
static __always_inline struct strace_thread *find_thread(__u32 tid)
{
	__u32 at = tid & strace_slot_mask;
	struct strace_thread *t = bpf_map_lookup_elem(&strace_slots, &at);

	return t && t->owner == tid ? t : bpf_map_lookup_elem(&strace_threads, &tid);
}

/* Makes the state of a thread that has none. NULL: there are too many threads. */
static __always_inline struct strace_thread *new_thread(__u32 tid)
{
	__u32 at = tid & strace_slot_mask;
	struct strace_thread *t = bpf_map_lookup_elem(&strace_slots, &at);

	if (t && !t->owner && !bpf_map_update_elem(&strace_owners, &at, &tid, BPF_NOEXIST)) {
		t->enter_ns = 0;
		t->owner = tid;
		return t;
	}
	bpf_map_update_elem(&strace_threads, &tid, &no_thread, BPF_NOEXIST);
	return bpf_map_lookup_elem(&strace_threads, &tid);
}

static __always_inline void forget_thread(__u32 tid)
{
	__u32 at = tid & strace_slot_mask;
	struct strace_thread *t = bpf_map_lookup_elem(&strace_slots, &at);

	if (!t || t->owner != tid) {
		bpf_map_delete_elem(&strace_threads, &tid);
		return;
	}
	t->enter_ns = 0;
	t->owner = 0;
	bpf_map_delete_elem(&strace_owners, &at);
}

/* Returns space for a call's record; calls are never made inside of another program. */
static __always_inline struct wire_call *reserve_call(void *ctx, struct slot *s)
{
	struct wire_cpu *c = s->cpu;

	s->level = c->level;
	s->rec = NULL;
	if (s->level) {
		refuse_level(c);
		return NULL;
	}
	c->level = 1;
	barrier();
	s->rec = (void *)(c->batch + (c->used & (WIRE_BATCH_SZ - 8)));
	return (void *)s->rec;
}

#endif

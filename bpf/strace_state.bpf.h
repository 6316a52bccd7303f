/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* State that the programs of system calls share with those of signals, exits and execs. */
#ifndef BPFPERF_STRACE_STATE_BPF_H
#define BPFPERF_STRACE_STATE_BPF_H

#include "emit.bpf.h"
#include "strace_wire.h"

#define SIGKILL 9

/* Calls are counted by strace_counts, and not sent. */
const volatile _Bool strace_counts_only __weak = 0;

/* The threads that have made a call, by the kernel's thread id. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, STRACE_THREADS);
	__type(key, __u32);
	__type(value, struct strace_thread);
} strace_threads __weak SEC(".maps");

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

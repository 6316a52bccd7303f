/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Programs on uprobes and kprobes have these in common. */
#ifndef BPFPERF_PROBE_BPF_H
#define BPFPERF_PROBE_BPF_H

#include "emit.bpf.h"
#include "instance.bpf.h"
#include "probe_wire.h"

/*
 * From 6.0 on, tasks can be preempted inside a uprobe's program, and programs of one CPU would no
 * longer nest. The loader puts code here that prevents it, or that refuses a second program. 0: it
 * was refused.
 */
static __always_inline _Bool enter(struct wire_cpu *c)
{
	__u64 entered;

	asm volatile("r1 = %[cpu]\n"
		     "r0 = %[placeholder]\n"
		     "%[entered] = r0\n"
		     : [entered] "=r"(entered)
		     : [cpu] "r"(&c->probing), [placeholder] "i"(WIRE_ENTER_PLACEHOLDER)
		     : "r0", "r1", "r2", "r3", "r4", "r5", "memory");
	if (!entered)
		refuse_level(c);
	return entered != 0;
}

static __always_inline void leave(struct wire_cpu *c)
{
	asm volatile("r1 = %[cpu]\n"
		     "r0 = %[placeholder]\n"
		     :
		     : [cpu] "r"(&c->probing), [placeholder] "i"(WIRE_LEAVE_PLACEHOLDER)
		     : "r0", "r1", "r2", "r3", "r4", "r5", "memory");
}

#endif

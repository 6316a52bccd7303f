/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The walk for one architecture: the includer defines UNWIND_ARM64 as 1, or 0 (x86-64). */
#ifndef BPFPERF_UNWIND_WALK_BODY_H
#define BPFPERF_UNWIND_WALK_BODY_H

#include <stdbool.h>

#include <linux/types.h>

#include "bpf/unwind_wire.h"
#include "unwind/table.h"
#include "unwind/walk.h"

#ifndef UNWIND_ARM64
#define UNWIND_ARM64 0
#endif

/* DWARF numbers of the registers that a walk begins with. */
#if UNWIND_ARM64
#define REG_PC UNWIND_ARM64_PC
#define REG_SP 31
#define REG_FP 29
#define REG_BASE 19
#else
#define REG_PC UNWIND_X86_64_PC
#define REG_SP 7
#define REG_FP 6
#define REG_BASE 3
#endif

/* unwind_read() has no context parameter. */
static _Thread_local const struct unwind_walk *walking;

static long unwind_read(__u64 *value, __u64 addr)
{
	uint64_t v;

	if (walking->read(walking->ctx, addr, &v))
		return -1;
	*value = v;
	return 0;
}

static long unwind_sample_reg(void *ctx, __u32 reg, __u64 *v)
{
	const struct unwind_walk *w = ctx;

	if (reg >= REG_PC)
		return -1;
	*v = w->regs[reg];
	return 0;
}

static const struct unwind_rule *unwind_find(void *ctx, __u64 pc)
{
	const struct unwind_walk *w = ctx;
	uint64_t vaddr;
	const struct unwind_table *table = w->find(w->ctx, pc, &vaddr);

	return table ? unwind_table__find(table, vaddr) : NULL;
}

#include "unwind/user_space.h"

#include "bpf/unwind.bpf.h"

static size_t walk(const struct unwind_walk *w, uint64_t *pcs, size_t max)
{
	struct unwind_regs r = {
		.pc = w->regs[REG_PC],
		.sp = w->regs[REG_SP],
		.fp = w->regs[REG_FP],
		.base = w->regs[REG_BASE],
		.lr = UNWIND_ARM64 ? w->regs[30] : 0,
		.has_fp = 1,
		.has_base = 1,
		.has_lr = 1,
		.is_sample = 1,
		.is_exact = 1,
	};
	const struct unwind_rule *rule;
	size_t cnt = 0;
	int end;

	walking = w;
	while (cnt < max) {
		/* A frame that was interrupted by a signal is not at a call. */
		pcs[cnt++] = r.pc - !r.is_exact;
		/* Like perf, the walk does not follow frame pointers in memory without a file. */
		rule = unwind_find((void *)w, r.pc - !r.is_exact);
		if (!rule)
			break;
		end = unwind_step((void *)w, &r);
		/*
		 * perf shows a return address of 0 as a frame; a missing return address ends the
		 * walk.
		 */
		if (end == UNWIND_OUTERMOST && rule->cfa != UNWIND_CFA_UNKNOWN &&
		    rule->ra != UNWIND_LOC_NONE && cnt < max)
			pcs[cnt++] = UINT64_MAX;
		if (end != UNWIND_GOES_ON)
			break;
	}
	return cnt;
}

#endif

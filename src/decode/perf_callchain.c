// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/perf_callchain.h"

#include <string.h>

#include "data/perf_sample.h"
#include "decode/sample.h"
#include "decode/stack_dump.h"

static void append_addr(struct perf_callchain *pc, uint64_t side, uint64_t addr)
{
	if (pc->cnt == PERF_CALLCHAIN_MAX ||
	    (side != PERF_CONTEXT_KERNEL && side != PERF_CONTEXT_USER))
		return;
	pc->addrs[pc->cnt] = addr;
	pc->is_kernel[pc->cnt++] = side == PERF_CONTEXT_KERNEL;
}

static uint64_t side_of(uint16_t cpumode)
{
	return cpumode == PERF_RECORD_MISC_KERNEL ? PERF_CONTEXT_KERNEL
	       : cpumode == PERF_RECORD_MISC_USER ? PERF_CONTEXT_USER
						  : 0;
}

static void append_unwound(struct perf_callchain *pc, const struct perf_sample *s,
			   struct stack_dump *dump, size_t max_stack)
{
	size_t room = PERF_CALLCHAIN_MAX - pc->cnt, cnt = 0;

	pc->unwound = pc->cnt;
	if (s->user_stack_sz)
		cnt = stack_dump__unwind(dump, s, pc->addrs + pc->cnt,
					 max_stack < room ? max_stack : room);
	memset(pc->is_kernel + pc->cnt, 0, cnt * sizeof(*pc->is_kernel));
	pc->cnt += (uint16_t)cnt;
}

void perf_callchain__unwind(struct perf_callchain *pc, const struct perf_sample *s,
			    struct stack_dump *dump, size_t max_stack)
{
	pc->cnt = 0;
	append_unwound(pc, s, dump, max_stack);
}

void perf_callchain__decode(struct perf_callchain *pc, const struct perf_sample *s,
			    struct stack_dump *dump, size_t max_stack, bool outermost)
{
	uint64_t side = side_of(s->cpumode), i, addr;
	size_t drop;

	pc->cnt = 0;
	for (i = 0; i < s->callchain.cnt; i++) {
		addr = perf_words__get(&s->callchain, i);
		if (addr >= PERF_CONTEXT_MAX)
			side = addr;
		else
			append_addr(pc, side, addr);
	}
	if (pc->cnt > max_stack) {
		drop = outermost ? pc->cnt - max_stack : 0;
		memmove(pc->addrs, pc->addrs + drop, max_stack * sizeof(*pc->addrs));
		memmove(pc->is_kernel, pc->is_kernel + drop, max_stack * sizeof(*pc->is_kernel));
		pc->cnt = (uint16_t)max_stack;
	}
	append_unwound(pc, s, dump, max_stack);
	if (!pc->cnt)
		append_addr(pc, side, s->ip);
}

struct callchain perf_callchain__split(struct perf_callchain *pc)
{
	struct callchain c = { .kern = pc->sides };
	uint16_t i;

	for (i = 0; i < pc->cnt; i++)
		if (pc->is_kernel[i])
			pc->sides[c.kern_cnt++] = pc->addrs[i];
	c.user = pc->sides + c.kern_cnt;
	/* The unwinder yields addresses within the call instruction, not return addresses. */
	for (i = 0; i < pc->cnt; i++)
		if (!pc->is_kernel[i])
			pc->sides[c.kern_cnt + c.user_cnt++] =
				pc->addrs[i] | (i >= pc->unwound ? CALLCHAIN_EXACT : 0);
	return c;
}

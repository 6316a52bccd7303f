// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/perf_callchain.h"

#include <string.h>

#include "decode/stack_dump.h"
#include "decode/perf_sample.h"
#include "decode/sample.h"

static void put(struct perf_callchain *rc, uint64_t side, uint64_t addr)
{
	if (rc->cnt == PERF_CALLCHAIN_MAX ||
	    (side != PERF_CONTEXT_KERNEL && side != PERF_CONTEXT_USER))
		return;
	rc->addrs[rc->cnt] = addr;
	rc->is_kernel[rc->cnt++] = side == PERF_CONTEXT_KERNEL;
}

void perf_callchain__take(struct perf_callchain *rc, const struct perf_sample *s, uint16_t cpumode,
			  struct stack_dump *us, size_t max_stack, bool outermost)
{
	uint64_t side = cpumode == PERF_RECORD_MISC_KERNEL ? PERF_CONTEXT_KERNEL
			: cpumode == PERF_RECORD_MISC_USER ? PERF_CONTEXT_USER
							   : 0;
	size_t room, cnt = 0, drop;
	uint64_t i, addr;

	rc->cnt = 0;
	for (i = 0; i < s->callchain.cnt; i++) {
		addr = perf_words__get(&s->callchain, i);
		if (addr >= PERF_CONTEXT_MAX)
			side = addr;
		else
			put(rc, side, addr);
	}
	if (rc->cnt > max_stack) {
		drop = outermost ? rc->cnt - max_stack : 0;
		memmove(rc->addrs, rc->addrs + drop, max_stack * sizeof(*rc->addrs));
		memmove(rc->is_kernel, rc->is_kernel + drop, max_stack * sizeof(*rc->is_kernel));
		rc->cnt = (uint16_t)max_stack;
	}
	rc->unwound = rc->cnt;
	room = PERF_CALLCHAIN_MAX - rc->cnt;
	if (s->user_stack_sz)
		cnt = stack_dump__unwind(us, s, rc->addrs + rc->cnt,
					 max_stack < room ? max_stack : room);
	memset(rc->is_kernel + rc->cnt, 0, cnt * sizeof(*rc->is_kernel));
	rc->cnt += (uint16_t)cnt;
	if (!rc->cnt)
		put(rc, side, s->ip);
}

struct callchain perf_callchain__split(struct perf_callchain *rc)
{
	struct callchain c = { .kern = rc->sides };
	uint16_t i;

	for (i = 0; i < rc->cnt; i++)
		if (rc->is_kernel[i])
			rc->sides[c.kern_cnt++] = rc->addrs[i];
	c.user = rc->sides + c.kern_cnt;
	/* What was unwound is told as an address of the call. */
	for (i = 0; i < rc->cnt; i++)
		if (!rc->is_kernel[i])
			rc->sides[c.kern_cnt + c.user_cnt++] =
				rc->addrs[i] | (i >= rc->unwound ? CALLCHAIN_EXACT : 0);
	return c;
}

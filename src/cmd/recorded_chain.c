// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/recorded_chain.h"

#include "decode/perf_sample.h"
#include "decode/sample.h"

static void put(struct recorded_chain *rc, uint64_t side, uint64_t addr)
{
	if (rc->cnt == RECORDED_CHAIN_MAX ||
	    (side != PERF_CONTEXT_KERNEL && side != PERF_CONTEXT_USER))
		return;
	rc->addrs[rc->cnt] = addr;
	rc->is_kernel[rc->cnt++] = side == PERF_CONTEXT_KERNEL;
}

void recorded_chain__take(struct recorded_chain *rc, const struct perf_sample *s, uint16_t cpumode)
{
	uint64_t side = cpumode == PERF_RECORD_MISC_KERNEL ? PERF_CONTEXT_KERNEL
			: cpumode == PERF_RECORD_MISC_USER ? PERF_CONTEXT_USER
							   : 0;
	uint64_t i, addr;

	rc->cnt = 0;
	if (!s->callchain.cnt)
		put(rc, side, s->ip);
	for (i = 0; i < s->callchain.cnt; i++) {
		addr = perf_words__get(&s->callchain, i);
		if (addr >= PERF_CONTEXT_MAX)
			side = addr;
		else
			put(rc, side, addr);
	}
}

struct callchain recorded_chain__split(struct recorded_chain *rc)
{
	struct callchain c = { .kern = rc->sides };
	uint16_t i;

	for (i = 0; i < rc->cnt; i++)
		if (rc->is_kernel[i])
			rc->sides[c.kern_cnt++] = rc->addrs[i];
	c.user = rc->sides + c.kern_cnt;
	for (i = 0; i < rc->cnt; i++)
		if (!rc->is_kernel[i])
			rc->sides[c.kern_cnt + c.user_cnt++] = rc->addrs[i];
	return c;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "tracedec/pokes.h"

#include <string.h>

/* Writes code at an address of the kernel, as far as a section has it. */
static void write_code(struct job *j, uint64_t addr, const uint8_t *bytes, size_t sz)
{
	size_t left;
	uint8_t *p;
	int isid;

	while (sz) {
		p = (uint8_t *)job__find_code(j, JOB_KERNEL, addr, &isid, &left);
		if (!p)
			return;
		if (left > sz)
			left = sz;
		memcpy(p, bytes, left);
		bytes += left;
		addr += left;
		sz -= left;
	}
}

static void undo(struct job *j, const struct itrace_poke *p)
{
	if (p->before_sz <= ITRACE_POKE_SZ)
		write_code(j, p->addr, p->before, p->before_sz);
}

static void apply(struct job *j, const struct itrace_poke *p)
{
	if (p->after_sz <= ITRACE_POKE_SZ)
		write_code(j, p->addr, p->after, p->after_sz);
}

void pokes__begin(struct job *j)
{
	uint32_t i = j->head.poke_cnt;

	while (i)
		undo(j, &j->pokes[--i]);
	j->poked = 0;
}

bool pokes__move(struct job *j, uint64_t time_ns)
{
	const uint32_t before = j->poked;

	while (j->poked < j->head.poke_cnt && j->pokes[j->poked].time_ns <= time_ns)
		apply(j, &j->pokes[j->poked++]);
	while (j->poked && j->pokes[j->poked - 1].time_ns > time_ns)
		undo(j, &j->pokes[--j->poked]);
	return j->poked != before;
}

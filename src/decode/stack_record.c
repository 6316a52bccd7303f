// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/stack_record.h"

#include <stddef.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/interp_wire.h"
#include "bpf/unwind_wire.h"
#include "bpf/wire.h"
#include "machine/tasks.h"

#define HEAD_SZ offsetof(struct wire_stack, addrs)
_Static_assert(HEAD_SZ % 8 == 0, "addresses are aligned");
_Static_assert(UNWIND_PC_BY_FP == CALLCHAIN_GUESSED, "marks stay as they are");
_Static_assert(UNWIND_PC_EXACT == CALLCHAIN_EXACT, "marks stay as they are");
_Static_assert(INTERP_FRAME == CALLCHAIN_CODE, "marks stay as they are");

/* A negative size is the errno of the capture: that side has no stack. */
static uint32_t side_sz(__s16 sz)
{
	return sz > 0 ? (uint32_t)sz : 0;
}

bool stack_record__sample(const struct wire_rec *rec, uint32_t cpu, uint32_t max_depth,
			  struct tasks *tasks, struct sample *s)
{
	const struct wire_stack *st = (const void *)rec;
	uint32_t kern_sz, user_sz;

	if (rec->kind != WIRE_SAMPLE || rec->sz < HEAD_SZ)
		return false;
	kern_sz = side_sz(st->kern_sz);
	user_sz = side_sz(st->user_sz);
	if (kern_sz % 8 || user_sz % 8 || HEAD_SZ + kern_sz + user_sz > rec->sz)
		return false;
	*s = (struct sample){
		.time_ns = rec->time_ns,
		.period = st->period,
		.cpu = cpu,
		.pid = (int32_t)rec->tgid,
		.tid = (int32_t)st->tid,
		.comm = tasks__comm(tasks, (int32_t)st->tid),
		.chain.kern = (const void *)st->addrs,
		.chain.user = (const void *)((const char *)st->addrs + kern_sz),
		.chain.kern_cnt = (uint16_t)(kern_sz / 8),
		.chain.user_cnt = (uint16_t)(user_sz / 8),
		.chain.truncated =
			kern_sz / 8 >= max_depth ||
			(st->user_end ? st->user_end == UNWIND_FULL : user_sz / 8 >= max_depth),
	};
	return true;
}

uint32_t stack_record__event(const struct wire_rec *rec)
{
	return ((const struct wire_stack *)(const void *)rec)->event;
}

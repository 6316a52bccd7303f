// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/stack_record.h"

#include <stddef.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "decode/tasks.h"
#include "source/ring_sample.h"

#define HEAD_SZ offsetof(struct wire_stack, addrs)
_Static_assert((RING_SAMPLE_HEAD_SZ + HEAD_SZ) % 8 == 0, "addresses are aligned");

/* A negative size is the errno of the capture: no stack of that side. */
static uint32_t side_sz(__s16 sz)
{
	return sz > 0 ? (uint32_t)sz : 0;
}

bool stack_record__sample(const struct perf_event_header *hdr, uint32_t cpu, uint32_t max_depth,
			  struct tasks *tasks, struct sample *s)
{
	const struct ring_sample *rs = (const void *)hdr;
	const char *raw = (const char *)&rs->raw;
	const struct wire_stack *st = (const void *)raw;
	uint32_t kern_sz, user_sz;

	if (!ring_sample__holds(hdr, HEAD_SZ))
		return false;
	kern_sz = side_sz(st->kern_sz);
	user_sz = side_sz(st->user_sz);
	if (kern_sz % 8 || user_sz % 8 || HEAD_SZ + kern_sz + user_sz > rs->raw_sz)
		return false;
	*s = (struct sample){
		.time_ns = st->head.time_ns,
		.period = st->period,
		.cpu = cpu,
		.pid = (int32_t)st->head.tgid,
		.tid = (int32_t)st->tid,
		.comm = tasks__comm(tasks, (int32_t)st->tid),
		.chain.kern = (const void *)(raw + HEAD_SZ),
		.chain.user = (const void *)(raw + HEAD_SZ + kern_sz),
		.chain.kern_cnt = (uint16_t)(kern_sz / 8),
		.chain.user_cnt = (uint16_t)(user_sz / 8),
		.chain.truncated = kern_sz / 8 >= max_depth || user_sz / 8 >= max_depth,
	};
	return true;
}

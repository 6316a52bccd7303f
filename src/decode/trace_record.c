// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/trace_record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "decode/tasks.h"
#include "event/event.h"
#include "source/ring_sample.h"

int trace_decoder__init(struct trace_decoder *d, const struct event_list *events,
			struct tasks *tasks)
{
	size_t i;

	memset(d, 0, sizeof(*d));
	d->tasks = tasks;
	for (i = 0; i < events->cnt; i++)
		if (events->events[i]->fmt && events->events[i]->fmt->id >= d->id_cnt)
			d->id_cnt = events->events[i]->fmt->id + 1u;
	d->by_id = calloc(d->id_cnt + 1, sizeof(*d->by_id));
	if (!d->by_id)
		return -ENOMEM;
	for (i = 0; i < events->cnt; i++)
		if (events->events[i]->fmt)
			d->by_id[events->events[i]->fmt->id] = events->events[i];
	return 0;
}

void trace_decoder__free(struct trace_decoder *d)
{
	free(d->by_id);
	d->by_id = NULL;
}

bool trace_decoder__sample(struct trace_decoder *d, const struct perf_event_header *hdr,
			   uint32_t cpu, struct sample *s)
{
	const struct ring_sample *rs = (const void *)hdr;
	const struct wire_tp *tp = (const void *)((const char *)hdr + RING_SAMPLE_HEAD_SZ);

	if (!ring_sample__holds(hdr, sizeof(*tp)))
		return false;
	if (tp->entry.type >= d->id_cnt || !d->by_id[tp->entry.type])
		return false;
	*s = (struct sample){
		.time_ns = tp->head.time_ns,
		.period = 1,
		.cpu = cpu,
		.pid = (int32_t)tp->head.tgid,
		.tid = tp->entry.pid,
		.comm = tasks__comm(d->tasks, tp->entry.pid),
		.event = d->by_id[tp->entry.type],
		.raw = &tp->entry,
		.raw_sz = rs->raw_sz - (uint32_t)offsetof(struct wire_tp, entry),
	};
	return true;
}

/* struct { header; u64 id; u64 lost; } of perf_event_open(2) */
uint64_t perf_record__lost_cnt(const struct perf_event_header *hdr)
{
	uint64_t lost;

	if (hdr->size < sizeof(*hdr) + 2 * sizeof(lost))
		return 0;
	memcpy(&lost, (const char *)(hdr + 1) + sizeof(uint64_t), sizeof(lost));
	return lost;
}

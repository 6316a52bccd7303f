// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/trace_record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "decode/counter_values.h"
#include "decode/field.h"
#include "decode/stacks.h"
#include "machine/tasks.h"
#include "event/event.h"
#include "event/weight.h"

static void learn(struct trace_decoder *d, const struct event *ev)
{
	const char *weight = event_weight__field(ev->fmt);

	d->by_id[ev->fmt->id] = ev;
	d->weights[ev->fmt->id] = weight ? tp_format__field(ev->fmt, weight) : NULL;
}

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
	d->weights = calloc(d->id_cnt + 1, sizeof(*d->weights));
	if (!d->by_id || !d->weights) {
		trace_decoder__free(d);
		return -ENOMEM;
	}
	for (i = 0; i < events->cnt; i++)
		if (events->events[i]->fmt)
			learn(d, events->events[i]);
	return 0;
}

void trace_decoder__free(struct trace_decoder *d)
{
	free(d->by_id);
	free(d->weights);
	d->by_id = NULL;
	d->weights = NULL;
}

bool trace_decoder__sample(struct trace_decoder *d, const struct wire_rec *rec, uint32_t cpu,
			   struct sample *s)
{
	const struct wire_entry *entry = (const void *)((const char *)(rec + 1) + d->ext_sz);

	if ((rec->kind != WIRE_TP && rec->kind != WIRE_TP_COMPAT) ||
	    rec->sz < sizeof(*rec) + d->ext_sz + sizeof(*entry))
		return false;
	if (entry->type >= d->id_cnt || !d->by_id[entry->type])
		return false;
	*s = (struct sample){
		.time_ns = rec->time_ns,
		.period = d->period ? d->period : 1,
		.cpu = cpu,
		.pid = (int32_t)rec->tgid,
		.tid = entry->pid,
		.comm = tasks__comm(d->tasks, entry->pid),
		.event = d->by_id[entry->type],
		.raw = entry,
		.is_compat = rec->kind == WIRE_TP_COMPAT,
		.raw_sz = (uint32_t)(rec->sz - sizeof(*rec) - d->ext_sz),
	};
	/* The period of samples in perf's recordings is the weight, too. */
	if (!d->period && d->weights[entry->type])
		field__get_u64(d->weights[entry->type], s->raw, s->raw_sz, &s->period);
	if (d->stacks)
		stacks__set(d->stacks, *(const uint64_t *)(rec + 1), s);
	if (d->counters)
		s->counters = counter_values__advance(
			d->counters, cpu, s->tid,
			(const void *)((const uint64_t *)(rec + 1) + (d->stacks ? 1 : 0)));
	return true;
}

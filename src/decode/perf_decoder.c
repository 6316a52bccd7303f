// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/perf_decoder.h"

#include <errno.h>
#include <string.h>

#include "data/recording.h"
#include "decode/call_stack.h"
#include "decode/raw_swap.h"
#include "decode/stack_dump.h"
#include "machine/tasks.h"

int perf_decoder__init(struct perf_decoder *d, const struct perf_decoder_config *cfg)
{
	d->cfg = *cfg;
	d->sample = (struct sample){ 0 };
	d->events = (struct recorded_events){ 0 };
	d->group = (struct read_group){ 0 };
	d->swapped = (struct strbuf)STRBUF_INIT;
	d->call_stack = (struct strbuf)STRBUF_INIT;
	d->stacks = stack_dump__new(cfg->sym, cfg->rec);
	return d->stacks ? 0 : -ENOMEM;
}

void perf_decoder__free(struct perf_decoder *d)
{
	stack_dump__free(d->stacks);
	read_group__free(&d->group);
	recorded_events__free(&d->events);
	strbuf__free(&d->swapped);
	strbuf__free(&d->call_stack);
}

/* Data without a format is unchanged. */
int perf_decoder__swap_raw(struct perf_decoder *d, struct sample *s)
{
	if (!s->raw || !s->event->fmt)
		return 0;
	strbuf__reset(&d->swapped);
	if (strbuf__reserve(&d->swapped, s->raw_sz + 8))
		return -ENOMEM;
	memcpy(d->swapped.buf, s->raw, s->raw_sz);
	raw_swap(s->event->fmt, (uint8_t *)d->swapped.buf, s->raw_sz);
	s->raw = d->swapped.buf;
	return 0;
}

/*
 * The members of a group share the record's stack: it is decoded for the first member that needs
 * it.
 */
static void decode_stack(struct perf_decoder *d, const struct perf_sample *ps)
{
	if (d->has_chain)
		return;
	d->has_chain = true;
	if (d->cfg.form == PERF_STACK_AS_RECORDED)
		perf_callchain__unwind(&d->chain, ps, d->stacks, d->cfg.max_stack);
	else
		perf_callchain__decode(&d->chain, ps, d->stacks, d->cfg.max_stack,
				       d->cfg.outermost);
}

static struct event *event_of(struct perf_decoder *d, const struct recorded_event *from)
{
	struct event *ev;

	if (d->events.list.cnt != d->cfg.rec->attrs.cnt &&
	    recorded_events__update(&d->events, &d->cfg.rec->attrs))
		return NULL;
	ev = d->events.list.events[from->idx];
	/* A pipe may deliver the formats after the events. */
	ev->fmt = from->fmt;
	return ev;
}

static inline int set_sample(struct perf_decoder *d, const struct perf_sample *ps)
{
	struct sample *s = &d->sample;

	/* Only these members differ between samples: zeroing the whole struct costs more. */
	s->time_ns = ps->time_ns;
	s->period = ps->period;
	s->cpu = ps->have & PERF_SAMPLE_CPU ? ps->cpu : UINT32_MAX;
	s->pid = (int32_t)ps->pid;
	s->tid = (int32_t)ps->tid;
	s->comm = tasks__comm(d->cfg.tasks, s->tid);
	s->event = event_of(d, ps->event);
	s->raw = ps->raw;
	s->raw_sz = ps->raw_sz;
	s->is_compat = ps->user_abi == PERF_SAMPLE_REGS_ABI_32;
	s->chain.kern_cnt = s->chain.user_cnt = 0;
	s->chain.truncated = false;
	s->perf = ps;
	return s->event ? 1 : -ENOMEM;
}

void perf_decoder__stack(struct perf_decoder *d, struct sample *s)
{
	decode_stack(d, s->perf);
	if (d->cfg.form == PERF_STACK_BY_SIDE)
		s->chain = perf_callchain__split(&d->chain);
}

void perf_decoder__take(struct perf_decoder *d, struct perf_sample *ps)
{
	ps->stack = &d->chain;
	d->has_chain = d->in_group = false;
	d->chain.cnt = d->chain.unwound = 0;
}

int perf_decoder__parse(struct perf_decoder *d, const struct perf_event_header *hdr,
			struct perf_sample *ps)
{
	int err = perf_sample__parse(ps, &d->cfg.rec->attrs, d->cfg.rec->swap, hdr);

	if (!err)
		call_stack__join(ps, &d->call_stack);
	ps->stack = &d->chain;
	d->has_chain = false;
	d->chain.cnt = d->chain.unwound = 0;
	/* Most samples carry no counts of their group. */
	d->in_group = !err && ps->have & PERF_SAMPLE_READ && read_group__begin(&d->group, ps);
	return err;
}

int perf_decoder__next(struct perf_decoder *d, const struct perf_sample *ps, struct sample **s)
{
	int err;

	*s = &d->sample;
	if (!d->in_group)
		return set_sample(d, ps);
	err = read_group__next(&d->group, &d->cfg.rec->attrs, ps, &d->member);
	d->in_group = err > 0;
	return err > 0 ? set_sample(d, &d->member) : err;
}

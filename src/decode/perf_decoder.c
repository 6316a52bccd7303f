// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/perf_decoder.h"

#include <errno.h>
#include <string.h>

#include "data/recording.h"
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
	d->stacks = stack_dump__new(cfg->sym, cfg->rec);
	return d->stacks ? 0 : -ENOMEM;
}

void perf_decoder__free(struct perf_decoder *d)
{
	stack_dump__free(d->stacks);
	read_group__free(&d->group);
	recorded_events__free(&d->events);
	strbuf__free(&d->swapped);
}

/* Converts raw data of the other byte order by its format; data without a format is unchanged. */
static int swap_raw(struct perf_decoder *d, struct sample *s)
{
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

static int decode_member(void *ctx, const struct perf_sample *ps)
{
	struct perf_decoder *d = ctx;
	enum sample_wish wish = SAMPLE_WITH_STACK;
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
	s->chain.kern_cnt = s->chain.user_cnt = 0;
	s->chain.truncated = false;
	s->perf = ps;
	if (!s->event)
		return -ENOMEM;
	if (d->cfg.filter)
		wish = d->cfg.filter(d->cfg.ctx, s);
	if (wish == SAMPLE_DROP)
		return 0;
	if (wish == SAMPLE_WITH_STACK) {
		decode_stack(d, ps);
		if (d->cfg.form == PERF_STACK_BY_SIDE)
			s->chain = perf_callchain__split(&d->chain);
	}
	if (ps->swap && s->raw && s->event->fmt && swap_raw(d, s))
		return -ENOMEM;
	return d->cfg.sample(d->cfg.ctx, s);
}

int perf_decoder__parse(struct perf_decoder *d, const struct perf_event_header *hdr,
			struct perf_sample *ps)
{
	int err = perf_sample__parse(ps, &d->cfg.rec->attrs, d->cfg.rec->swap, hdr);

	ps->stack = &d->chain;
	return err;
}

int perf_decoder__each(struct perf_decoder *d, const struct perf_sample *ps)
{
	d->has_chain = false;
	d->chain.cnt = d->chain.unwound = 0;
	/* Most samples carry no counts of their group. */
	if (!(ps->have & PERF_SAMPLE_READ))
		return decode_member(d, ps);
	return read_group__each(&d->group, &d->cfg.rec->attrs, ps, decode_member, d);
}

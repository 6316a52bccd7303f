// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "ptdec/flow_events.h"

static bool wants(const struct flow *f, enum itrace_kind kind)
{
	return f->head->want >> kind & 1;
}

/* A transaction begins, ends, or is aborted: then a branch from there is next. */
static void on_transaction(struct flow *f, const struct pt_event *ev)
{
	struct itrace_item *item;

	flow__commit(f);
	f->is_aborted = ev->variant.tsx.aborted;
	/* The branch that led here is before it. */
	if (!ev->ip_suppressed) {
		flow__branch_to(f, ev->variant.tsx.ip);
		f->has_prev = false;
	}
	if (!wants(f, ITRACE_TRANSACTION))
		return;
	item = flow__item(f, ITRACE_TRANSACTION,
			  ev->ip_suppressed ? f->prev.end_ip : ev->variant.tsx.ip);
	if (ev->variant.tsx.aborted)
		item->flags = ITRACE_FLAG_BRANCH | ITRACE_FLAG_TX_ABORT;
	else if (ev->variant.tsx.speculative)
		item->flags = ITRACE_FLAG_IN_TX;
}

/*
 * An item with the payload of a packet, and the address of its instruction, if that is told: the
 * code up to there has run.
 */
static void add(struct flow *f, enum itrace_kind kind, const struct pt_event *ev, uint64_t ip,
		uint64_t payload)
{
	struct itrace_item *item;

	flow__commit(f);
	if (!wants(f, kind))
		return;
	item = flow__item(f, kind, ev->ip_suppressed ? f->prev.end_ip : ip);
	item->to = payload;
	item->period = !ev->ip_suppressed;
}

/* An item of a packet that has no place in the code. */
static void add_state(struct flow *f, enum itrace_kind kind, uint64_t payload)
{
	if (wants(f, kind))
		flow__item(f, kind, f->prev.end_ip)->to = payload;
}

/* Payloads as the packets have them (SDM, volume 3, "Packet definitions"). */
static uint64_t pwre_payload(const struct pt_event *ev)
{
	return (uint64_t)ev->variant.pwre.hw << 7 | (uint64_t)ev->variant.pwre.sub_state << 8 |
	       (uint64_t)ev->variant.pwre.state << 12;
}

static uint64_t pwrx_payload(const struct pt_event *ev)
{
	return (uint64_t)ev->variant.pwrx.deepest | (uint64_t)ev->variant.pwrx.last << 4 |
	       (uint64_t)ev->variant.pwrx.interrupt << 8 | (uint64_t)ev->variant.pwrx.store << 10 |
	       (uint64_t)ev->variant.pwrx.autonomous << 11;
}

void flow_events__take(struct flow *f, const struct pt_event *ev)
{
	switch (ev->type) {
	case ptev_ptwrite:
		add(f, ITRACE_PTWRITE, ev, ev->variant.ptwrite.ip, ev->variant.ptwrite.payload);
		break;
	case ptev_mwait:
		add(f, ITRACE_MWAIT, ev, ev->variant.mwait.ip,
		    ev->variant.mwait.hints | (uint64_t)ev->variant.mwait.ext << 32);
		break;
	case ptev_exstop:
		add(f, ITRACE_EXSTOP, ev, ev->variant.exstop.ip, 0);
		break;
	case ptev_pwre:
		add_state(f, ITRACE_PWRE, pwre_payload(ev));
		break;
	case ptev_pwrx:
		add_state(f, ITRACE_PWRX, pwrx_payload(ev));
		break;
	case ptev_tsx:
		on_transaction(f, ev);
		break;
	case ptev_cbr:
		flow_events__cbr(f, 0, ev->variant.cbr.ratio);
		break;
	default:
		break;
	}
}

void flow_events__cbr(struct flow *f, uint64_t ip, uint64_t ratio)
{
	if (wants(f, ITRACE_CBR))
		flow__item(f, ITRACE_CBR, ip)->to = ratio;
}

void flow_events__psb(struct flow *f, uint64_t at, uint64_t ip)
{
	if (wants(f, ITRACE_PSB))
		flow__item(f, ITRACE_PSB, ip)->to = at;
}

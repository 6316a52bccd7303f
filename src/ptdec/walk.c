// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "ptdec/walk.h"

#include <string.h>

#include "ptdec/code.h"
#include "ptdec/flow_events.h"
#include "ptdec/walk_gap.h"

/* Errata of these processors are libipt's to work around. */
static bool has_errata(const struct itrace_job *h)
{
	static const struct pt_errata none;
	struct pt_config config;

	if (!h->family)
		return false;
	pt_config_init(&config);
	config.cpu = (struct pt_cpu){ pcv_intel, h->family, h->model, h->stepping };
	return pt_cpu_errata(&config.errata, &config.cpu) < 0 ||
	       memcmp(&config.errata, &none, sizeof(none)) != 0;
}

bool walk__can(const struct flow *f, const struct itrace_chunk *c)
{
	struct packet k;

	packet__read(&k, f->buf, f->buf + c->sz);
	return k.kind == PACKET_PSB && !has_errata(f->head) &&
	       packet__are_common(f->buf, f->buf + c->sz);
}

static void push(struct walk *w, uint64_t to)
{
	w->returns[w->top++ % WALK_RETURNS] = to;
	if (w->return_cnt < WALK_RETURNS)
		w->return_cnt++;
}

static bool pop(struct walk *w, uint64_t *to)
{
	if (!w->return_cnt)
		return false;
	w->return_cnt--;
	*to = w->returns[--w->top % WALK_RETURNS];
	return true;
}

/* Goes on behind a block that needs no packet. */
static void go_on(struct walk *w, const struct code_block *b)
{
	if (b->end == CODE_CALL)
		push(w, b->next);
	w->ip = b->to;
}

/* walk_to_branch() */
#define NO_STOP UINT64_MAX

/*
 * Goes up to the next block with its branch in the trace, or, at once, to `stop`; 0: to where page
 * tables change.
 */
static int walk_to_branch(struct flow *f, uint64_t stop, const struct code_block **block)
{
	struct walk *w = &f->walk;
	const struct code_block *b;
	uint32_t i;

	for (i = 0; i < FLOW_STILL_BLOCKS; i++) {
		b = code__block(f->code, f->space, w->ip);
		if (!b)
			return -pte_nomap;
		if (f->has_items)
			flow__add_code(f, b);
		*block = b;
		if (b->last.needs_packet || (b->end == CODE_SPACE && !stop))
			return 0;
		go_on(w, b);
		if (w->ip == stop)
			return 0;
	}
	return -pte_bad_query;
}

/* Goes up to the instruction at this address, where something else happens. */
static int walk_to(struct flow *f, uint64_t ip)
{
	struct walk *w = &f->walk;
	const struct code_block *b;
	uint32_t i;

	for (i = 0; i < FLOW_STILL_BLOCKS; i++) {
		if (w->ip == ip) {
			flow__commit(f);
			return 0;
		}
		b = code__block(f->code, f->space, w->ip);
		if (!b)
			return -pte_nomap;
		if (ip > b->ip && ip <= b->end_ip) {
			w->ip = ip;
			return flow__commit_part(f, b, ip) ? 0 : -pte_bad_query;
		}
		if (f->has_items)
			flow__add_code(f, b);
		if (b->last.needs_packet)
			break;
		go_on(w, b);
	}
	return -pte_bad_query;
}

/* A packet says where the last block's branch went. */
static void resolve(struct flow *f, uint64_t to)
{
	f->walk.ip = to;
	if (!f->has_items)
		return;
	flow__commit(f);
	flow__branch_to(f, to);
	f->has_prev = false;
}

static int on_time(struct flow *f, const struct packet *k)
{
	struct walk *w = &f->walk;

	walk_time__packet(&w->time, f->head, k);
	if (w->time.has_tsc)
		flow__set_time(f, w->time.tsc);
	if (k->kind == PACKET_CBR && w->in_psb)
		w->psb_cbr = k->value;
	else if (k->kind == PACKET_CBR)
		flow_events__cbr(f, w->is_on ? w->ip : 0, k->value);
	/* The kernel switches threads in its own code. */
	if (w->is_on && flow__is_kernel(w->ip) && flow__update_thread(f))
		return -pte_nomem;
	return 0;
}

/*
 * The processor may defer the address of an indirect branch until the bits for the branches around
 * it fill a packet: the address follows behind these bits (SDM, "Deferred TIPs").
 */
static int take_deferred(struct flow *f, const struct code_block *b)
{
	struct walk *w = &f->walk;
	struct packet k;
	int err;

	for (;;) {
		packet__read(&k, f->buf + w->next, f->buf + w->end);
		w->next += k.sz;
		if (k.kind != PACKET_CYC && k.kind != PACKET_NONE)
			break;
		err = k.kind == PACKET_CYC ? on_time(f, &k) : 0;
		if (err)
			return err;
	}
	if (k.kind != PACKET_TIP || !packet__ip(&k, &w->last_ip))
		return -pte_bad_query;
	if (b->end == CODE_INDIRECT_CALL)
		push(w, b->next);
	resolve(f, w->last_ip);
	return 0;
}

/* Follows the branches of a TNT packet. */
static int follow_bits(struct flow *f, const struct packet *k)
{
	const struct code_block *b;
	uint32_t bit = k->cnt;
	uint64_t to;
	bool taken;
	int err;

	while (bit--) {
		err = walk_to_branch(f, NO_STOP, &b);
		while (!err && (b->end == CODE_INDIRECT || b->end == CODE_INDIRECT_CALL)) {
			err = take_deferred(f, b);
			if (!err)
				err = walk_to_branch(f, NO_STOP, &b);
		}
		if (err)
			return err;
		taken = k->value >> bit & 1;
		if (b->end == CODE_COND)
			to = taken ? b->to : b->next;
		else if (b->end != CODE_RETURN || !taken)
			return -pte_bad_query;
		else if (!pop(&f->walk, &to))
			return f->walk.lacks_calls ? -pte_nomap : -pte_bad_query;
		resolve(f, to);
	}
	return 0;
}

static int on_tnt(struct flow *f, const struct packet *k)
{
	const uint64_t last_ip = f->walk.last_ip;
	int err = follow_bits(f, k);

	/* All packets from here on are passed over, or skipped. */
	if (err)
		f->walk.last_ip = last_ip;
	return err;
}

static int on_tip(struct flow *f, uint64_t to)
{
	const uint32_t interrupt = ITRACE_FLAG_CALL | ITRACE_FLAG_ASYNC | ITRACE_FLAG_INTERRUPT;
	struct walk *w = &f->walk;
	const struct code_block *b;
	uint64_t replaced;
	int err;

	if (w->has_fup) {
		err = walk_to(f, w->fup);
		if (err)
			return err;
		flow__async(f, w->fup, to, interrupt);
		w->ip = to;
		return flow__update_thread(f) ? -pte_nomem : 0;
	}
	err = walk_to_branch(f, NO_STOP, &b);
	if (err)
		return err;
	if (b->end == CODE_COND)
		return -pte_bad_query;
	if (b->end == CODE_INDIRECT_CALL)
		push(w, b->next);
	/* A return that has an address, since its call's was replaced, has used that one up. */
	if (b->end == CODE_RETURN)
		pop(w, &replaced);
	resolve(f, to);
	return 0;
}

/* The trace ends; to: 0, or where the processor went. */
static int on_disabled(struct flow *f, uint64_t to)
{
	struct walk *w = &f->walk;
	const struct code_block *b;
	int err;

	w->is_on = false;
	if (w->has_fup) {
		err = walk_to(f, w->fup);
		if (!err)
			flow__async(f, w->fup, to, ITRACE_FLAG_ASYNC | ITRACE_FLAG_END);
		return err;
	}
	err = walk_to_branch(f, to, &b);
	if (err)
		return err;
	flow__commit(f);
	flow__disabled(f, to);
	return 0;
}

int walk__enabled(struct flow *f, uint64_t ip, bool is_new)
{
	f->walk.is_on = true;
	f->walk.ip = ip;
	f->has_prev = false;
	if (flow__update_thread(f))
		return -pte_nomem;
	if (is_new)
		flow__branch(f, NULL, 0, ip, ITRACE_FLAG_BEGIN);
	return 0;
}

/* No packet refers to those before. */
static void begin_anew(struct walk *w)
{
	w->last_ip = 0;
	w->return_cnt = 0;
	w->has_fup = w->is_place = false;
}

static void on_psb(struct walk *w, size_t at)
{
	begin_anew(w);
	w->psb_at = at;
	w->psb_cbr = 0;
	w->lacks_calls = false;
	w->in_psb = true;
}

/* The end of what a PSB tells. */
static void end_psb(struct flow *f)
{
	struct walk *w = &f->walk;
	const uint64_t ip = w->has_fup ? w->fup : 0;

	if (!w->in_psb)
		return;
	w->in_psb = false;
	flow_events__psb(f, w->psb_at, ip);
	if (w->psb_cbr)
		flow_events__cbr(f, ip, w->psb_cbr);
}

/* A PSB tells where the processor is, if it is traced. */
static int on_psb_end(struct flow *f)
{
	struct walk *w = &f->walk;
	bool is_on = w->has_fup;

	end_psb(f);
	w->has_fup = false;
	if (is_on && !w->is_on)
		return walk__enabled(f, w->fup, false);
	if (!is_on)
		f->has_prev = false;
	w->is_on = is_on;
	return 0;
}

/* The next FUP has the place at which packets came again. 0: the processor was not traced then. */
static uint64_t overflow_ip(const struct flow *f)
{
	size_t at = f->walk.next;
	uint64_t ip = 0;
	struct packet k;

	for (; at < f->walk.end; at += k.sz) {
		packet__read(&k, f->buf + at, f->buf + f->walk.end);
		switch (k.kind) {
		case PACKET_TSC:
		case PACKET_TMA:
		case PACKET_MTC:
		case PACKET_CYC:
		case PACKET_CBR:
		case PACKET_NONE:
			break;
		case PACKET_FUP:
			packet__ip(&k, &ip);
			return ip;
		default:
			return 0;
		}
	}
	return 0;
}

/* The processor may have called and returned meanwhile. */
static int on_overflow(struct flow *f, const struct packet *k)
{
	struct walk *w = &f->walk;
	uint64_t ip = overflow_ip(f);

	end_psb(f);
	walk_time__packet(&w->time, f->head, k);
	begin_anew(w);
	w->lacks_calls = true;
	w->is_on = ip != 0;
	w->ip = ip;
	/* The FUP says nothing more. */
	w->is_place = w->is_on;
	if (flow__update_thread(f))
		return -pte_nomem;
	flow__overflow(f, ip);
	return 0;
}

bool walk__is_place(const struct walk *w, const struct packet *k)
{
	/* An address of a branch is that of the mode, too; a FUP tells where CLI or STI is. */
	return k->kind == PACKET_EVENT ? k->value == PACKET_EVENT_PLACE : !w->in_psb;
}

/* Packets of addresses. */
static int on_address(struct flow *f, const struct packet *k)
{
	struct walk *w = &f->walk;
	uint64_t ip = packet__ip(k, &w->last_ip) ? w->last_ip : 0;
	int err = 0;

	if (k->kind == PACKET_FUP) {
		if (w->is_place && w->is_on)
			err = walk_to(f, ip);
		if (err)
			return err;
		w->has_fup = !w->is_place;
		w->is_place = false;
		w->fup = ip;
		return 0;
	}
	w->is_place = false;
	if (w->is_on == (k->kind == PACKET_PGE))
		return -pte_bad_query;
	err = k->kind == PACKET_PGE   ? walk__enabled(f, ip, true)
	      : k->kind == PACKET_TIP ? on_tip(f, ip)
				      : on_disabled(f, ip);
	w->has_fup = false;
	return err;
}

static int on_packet(struct flow *f, const struct packet *k)
{
	switch (k->kind) {
	case PACKET_TNT:
		f->walk.is_place = false;
		return f->walk.is_on && !f->walk.has_fup ? on_tnt(f, k) : -pte_bad_query;
	case PACKET_TIP:
	case PACKET_PGE:
	case PACKET_PGD:
	case PACKET_FUP:
		return on_address(f, k);
	case PACKET_EVENT:
	case PACKET_MODE_EXEC:
		f->walk.is_place = walk__is_place(&f->walk, k);
		return 0;
	case PACKET_PSB:
		on_psb(&f->walk, f->walk.next - k->sz);
		return 0;
	case PACKET_PSBEND:
		return on_psb_end(f);
	case PACKET_OVF:
		return on_overflow(f, k);
	case PACKET_TSC:
	case PACKET_TMA:
	case PACKET_MTC:
	case PACKET_CYC:
	case PACKET_CBR:
		return on_time(f, k);
	default:
		return 0;
	}
}

int walk__chunk(struct flow *f, const struct itrace_chunk *c)
{
	struct walk *w = &f->walk;
	struct packet k;
	uint64_t ip;
	size_t at;
	int err = 0;

	*w = (struct walk){ .end = c->sz };
	if (flow__update_thread(f))
		return -pte_nomem;
	for (at = 0; at < c->sz;) {
		packet__read(&k, f->buf + at, f->buf + c->sz);
		w->next = at + k.sz;
		err = on_packet(f, &k);
		if (err == -pte_nomem)
			return err;
		if (err == -pte_nomap)
			err = walk_gap__unknown(f, &at, c->sz);
		else
			at = err ? walk_gap__to_psb(f, at, c->sz, err) : w->next;
		if (err == -pte_nomem)
			return err;
	}
	/* Up to the next chunk, straight code has no packet in this one. */
	if (!err && w->is_on && c->tail_sz && flow__find_next_ip(f->buf + c->sz, c->tail_sz, &ip) &&
	    !walk_to(f, ip))
		flow__branch_to(f, ip);
	f->run_cnt = 0;
	f->has_prev = false;
	return 0;
}

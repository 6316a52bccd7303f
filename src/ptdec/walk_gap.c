// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "ptdec/walk_gap.h"

#include "ptdec/code.h"
#include "ptdec/walk.h"

size_t walk_gap__to_psb(struct flow *f, size_t at, size_t sz, int err)
{
	size_t next = at;
	struct packet k;

	do {
		packet__read(&k, f->buf + next, f->buf + sz);
		if (k.kind == PACKET_PSB && next > at)
			break;
		next += k.sz;
	} while (next < sz);
	/* All that is proven has become items already. */
	f->run_cnt = 0;
	flow__lose(f, err == -pte_nomap ? ITRACE_GAP_NO_CODE : ITRACE_GAP_DAMAGE, f->walk.ip,
		   next - at);
	f->walk.is_on = f->walk.has_fup = f->walk.is_place = false;
	return next;
}

/*
 * Time goes on in unknown code, and the thread may be another one behind it. Sets *is_known if this
 * packet leads out: to an address with known code, or to where nothing is traced. 0 or
 * -pte_nomem.
 */
static int pass_over(struct flow *f, const struct packet *k, bool *is_known)
{
	struct walk *w = &f->walk;

	switch (k->kind) {
	case PACKET_PSB:
	case PACKET_OVF:
	case PACKET_PGD:
		*is_known = true;
		return 0;
	case PACKET_TIP:
	case PACKET_PGE:
	case PACKET_FUP:
		/* A FUP of an interrupt is where code ends, one of a place where it runs. */
		*is_known = packet__ip(k, &w->last_ip) && (k->kind != PACKET_FUP || w->is_place) &&
			    code__block(f->code, f->space, w->last_ip);
		w->is_place = false;
		return 0;
	case PACKET_EVENT:
	case PACKET_MODE_EXEC:
		w->is_place = walk__is_place(w, k);
		return 0;
	default:
		walk_time__packet(&w->time, f->head, k);
		if (w->time.has_tsc)
			flow__set_time(f, w->time.tsc);
		return flow__update_thread(f) ? -pte_nomem : 0;
	}
}

int walk_gap__unknown(struct flow *f, size_t *at, size_t sz)
{
	const size_t from = *at;
	struct walk *w = &f->walk;
	struct itrace_item *gap;
	bool is_known = false;
	struct packet k = { 0 };
	int err = 0;

	flow__commit(f);
	f->has_prev = w->is_on = w->has_fup = false;
	w->return_cnt = 0;
	w->lacks_calls = true;
	gap = flow__item(f, ITRACE_ERROR, w->ip);
	gap->gap = ITRACE_GAP_NO_CODE;
	/* No other item is made before the size is known. */
	while (*at < sz && !err) {
		packet__read(&k, f->buf + *at, f->buf + sz);
		err = pass_over(f, &k, &is_known);
		if (is_known)
			break;
		*at += k.sz;
	}
	gap->period = *at - from;
	f->skipped_sz += *at - from;
	/* Others are followed as they are, again. */
	if (err || !is_known || k.kind == PACKET_PSB || k.kind == PACKET_OVF ||
	    k.kind == PACKET_PGE)
		return err;
	*at += k.sz;
	packet__ip(&k, &w->last_ip);
	return k.kind == PACKET_PGD ? 0 : walk__enabled(f, w->last_ip, false);
}

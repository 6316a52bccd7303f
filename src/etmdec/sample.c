// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <string.h>

#include "etmdec/flow_priv.h"

static void sample(struct etm_flow *f, const struct etm_unit *u, uint64_t ip,
		   const struct etm_last *insn)
{
	struct itrace_item *item = etm_flow__item(f, u, ITRACE_INSN, ip);

	item->period = f->insn_cnt;
	f->insn_cnt = 0;
	if (!insn)
		return;
	item->flags = (uint16_t)(insn->flags ? insn->flags | ITRACE_FLAG_BRANCH : 0);
	item->insn_len = insn->len;
	memcpy(item->insn, insn->bytes, insn->len);
}

/* The size of the instruction with these first bytes: T32 has two sizes. */
static uint8_t size_of(ocsd_isa isa, const uint8_t *p)
{
	return isa == ocsd_isa_thumb2 && p[1] < 0xe8 ? 2 : 4;
}

/* Goes through the instructions, and makes an item of every n-th. */
static void sample_insns(struct etm_flow *f, struct etm_unit *u,
			 const ocsd_generic_trace_elem *elem, const struct etm_last *last)
{
	struct etm_last insn = { .isa = elem->isa };
	uint64_t ip = elem->st_addr;

	for (; ip < last->ip; ip += insn.len) {
		const uint64_t left = f->head->period - f->insn_cnt;

		/* Instructions of one size need not be read on the way. */
		if (elem->isa != ocsd_isa_thumb2 && left > 1) {
			const uint64_t cnt = (last->ip - ip) / 4;

			if (cnt < left) {
				f->insn_cnt += cnt;
				break;
			}
			f->insn_cnt += left - 1;
			ip += 4 * (left - 1);
		}
		if (etm_flow__read(f, u, ip, insn.bytes, 4) < 2)
			break;
		insn.len = size_of(elem->isa, insn.bytes);
		if (++f->insn_cnt >= f->head->period)
			sample(f, u, ip, &insn);
	}
	if (++f->insn_cnt >= f->head->period)
		sample(f, u, last->ip, last);
}

void etm_sample__range(struct etm_flow *f, struct etm_unit *u, const ocsd_generic_trace_elem *elem,
		       const struct etm_last *last)
{
	const struct itrace_job *h = f->head;
	const uint64_t now = h->period_kind == ITRACE_EACH_TICK ? f->tick : f->time_ns;

	if (h->period_kind == ITRACE_EACH_INSN &&
	    f->insn_cnt + elem->num_instr_range >= h->period) {
		sample_insns(f, u, elem, last);
		return;
	}
	f->insn_cnt += elem->num_instr_range;
	if (h->period_kind == ITRACE_EACH_INSN || !elem->num_instr_range || !h->period ||
	    now < f->next_at)
		return;
	sample(f, u, elem->st_addr, NULL);
	f->next_at = (now / h->period + 1) * h->period;
}

void etm_sample__end(struct etm_flow *f, const struct etm_unit *u)
{
	if (f->insn_cnt && f->head->period_kind == ITRACE_EACH_INSN)
		sample(f, u, u->last.ip, NULL);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <string.h>

#include "ptdec/code.h"
#include "ptdec/flow_priv.h"
#include "util/x86_insn.h"

struct itrace_item *flow__item(struct flow *f, enum itrace_kind kind, uint64_t ip)
{
	struct itrace_item *item = answer__add(f->answer);

	item->time_ns = f->time_ns;
	item->ip = ip;
	item->pid = f->pid;
	item->tid = f->tid;
	item->kind = kind;
	item->is_kernel = flow__is_kernel(ip);
	return item;
}

void flow__gap(struct flow *f, enum itrace_gap gap, uint64_t ip, uint64_t sz)
{
	struct itrace_item *item = flow__item(f, ITRACE_ERROR, ip);

	item->gap = gap;
	item->period = sz;
}

static void set_insn(struct itrace_item *item, const uint8_t *bytes, unsigned int len)
{
	item->insn_len = (uint8_t)len;
	memcpy(item->insn, bytes, len);
}

void flow__branch(struct flow *f, const struct flow_last *last, uint64_t from, uint64_t to,
		  uint32_t flags)
{
	struct itrace_item *item;

	if (!itrace__wants_branch(f->head->want, flags))
		return;
	item = flow__item(f, ITRACE_BRANCH, from);
	item->to = to;
	item->flags = flags | ITRACE_FLAG_BRANCH;
	if (last)
		set_insn(item, last->bytes, last->len);
}

void flow__branch_to(struct flow *f, uint64_t to)
{
	const struct flow_block *b = &f->prev;
	const struct flow_last *last = &b->last;

	if (!f->has_prev || !last->flags)
		return;
	if (last->flags & ITRACE_FLAG_CONDITIONAL && to == last->ip + last->len)
		return;
	flow__branch(f, last, last->ip, to, last->flags | (b->in_tx ? ITRACE_FLAG_IN_TX : 0));
}

static void sample(struct flow *f, const struct flow_block *b, uint64_t ip, const uint8_t *bytes,
		   unsigned int len, uint32_t flags)
{
	struct itrace_item *item = flow__item(f, ITRACE_INSN, ip);

	item->time_ns = b->time_ns;
	item->period = f->insn_cnt;
	item->flags = flags | (b->in_tx ? ITRACE_FLAG_IN_TX : 0);
	if (bytes)
		set_insn(item, bytes, len);
	f->insn_cnt = 0;
}

/* Goes through the first cnt instructions of a block, and makes an item of every n-th. */
static void sample_insns(struct flow *f, const struct flow_block *b, uint32_t cnt)
{
	size_t left;
	const uint8_t *p = flow__code(f, b->isid, b->ip, &left);
	uint64_t ip = b->ip;
	uint32_t i, flags, len;

	for (i = 0; i < cnt; i++) {
		bool is_last = i + 1 == b->insn_cnt;

		len = p ? x86_insn__length(p, left, b->is_64, &flags) : 0;
		f->insn_cnt++;
		if (f->insn_cnt >= f->head->period) {
			if (is_last)
				sample(f, b, b->end_ip, b->last.bytes, b->last.len, b->last.flags);
			else
				sample(f, b, ip, len ? p : NULL, len, len ? flags : 0);
		}
		/* An instruction that is not whole here goes on in the next section. */
		p = len ? p + len : NULL;
		ip += len;
		left -= len;
	}
}

static void count_insns(struct flow *f, const struct flow_block *b, uint32_t cnt)
{
	const struct itrace_job *h = f->head;
	uint64_t now = h->period_kind == ITRACE_EACH_TICK ? f->tsc : b->time_ns;

	if (h->period_kind == ITRACE_EACH_INSN) {
		if (f->insn_cnt + cnt >= h->period)
			sample_insns(f, b, cnt);
		else
			f->insn_cnt += cnt;
		return;
	}
	f->insn_cnt += cnt;
	if (cnt && now >= f->next_ns) {
		sample(f, b, b->ip, NULL, 0, 0);
		f->next_ns = (now / h->period + 1) * h->period;
	}
}

void flow__end_samples(struct flow *f)
{
	if (f->insn_cnt && f->head->period_kind == ITRACE_EACH_INSN)
		sample(f, &f->prev, f->prev.ip, NULL, 0, 0);
}

/* A block was executed, up to its instruction cnt. */
static void commit_block(struct flow *f, const struct flow_block *b, uint32_t cnt)
{
	flow__branch_to(f, b->ip);
	if (f->head->want & 1u << ITRACE_INSN)
		count_insns(f, b, cnt);
	f->has_prev = cnt == b->insn_cnt;
	f->prev = *b;
}

void flow__commit(struct flow *f)
{
	size_t i;

	for (i = 0; i < f->run_cnt; i++)
		commit_block(f, &f->run[i], f->run[i].insn_cnt);
	f->run_cnt = 0;
}

/* The number of instructions of a block before the one at ip; UINT32_MAX: it has no such. */
static uint32_t insns_before(const struct flow *f, const struct flow_block *b, uint64_t ip)
{
	size_t left;
	const uint8_t *p = flow__code(f, b->isid, b->ip, &left);
	uint64_t at = b->ip;
	uint32_t i, flags, len;

	for (i = 0; p && i < b->insn_cnt && at < ip; i++, at += len, p += len, left -= len) {
		len = x86_insn__length(p, left, b->is_64, &flags);
		if (!len)
			return UINT32_MAX;
	}
	return i < b->insn_cnt && at == ip ? i : UINT32_MAX;
}

void flow__commit_up_to(struct flow *f, uint64_t ip)
{
	uint32_t cnt = UINT32_MAX;
	size_t i;

	for (i = 0; i < f->run_cnt && cnt == UINT32_MAX; i++) {
		cnt = insns_before(f, &f->run[i], ip);
		if (cnt == UINT32_MAX)
			commit_block(f, &f->run[i], f->run[i].insn_cnt);
		else if (cnt)
			commit_block(f, &f->run[i], cnt);
		else
			flow__branch_to(f, ip);
	}
	/* The last packet was that of a branch to where the next chunk begins. */
	if (!f->run_cnt)
		flow__branch_to(f, ip);
	f->run_cnt = 0;
	f->has_prev = false;
}

/* Does what follows this block come from the trace, not from the code? */
static bool find_needs_packet(const struct flow_last *last)
{
	const uint8_t *p = last->bytes;

	if (!last->flags)
		return false;
	/* Direct jumps and calls: E8, E9, EB, behind prefixes. */
	while (p < last->bytes + last->len &&
	       (*p == 0xf2 || *p == 0x66 || *p == 0x2e || *p == 0x3e || *p >> 4 == 4))
		p++;
	return *p != 0xe8 && *p != 0xe9 && *p != 0xeb;
}

/* The last instruction of a block, which mostly was decoded before. */
static const struct flow_last *find_last(struct flow *f, const struct pt_block *block)
{
	struct flow_last *last = &f->last[(block->end_ip ^ block->end_ip >> 13) % FLOW_LAST_CNT];
	const uint8_t *p = block->truncated ? block->raw : NULL;
	size_t left = block->size;

	if (last->ip == block->end_ip && last->isid == block->isid && last->len &&
	    !block->truncated)
		return last;
	if (!p)
		p = flow__code(f, block->isid, block->end_ip, &left);
	last->ip = block->end_ip;
	last->isid = block->truncated ? -1 : block->isid;
	last->flags = 0;
	last->len =
		p ? (uint8_t)x86_insn__length(p, left, block->mode == ptem_64bit, &last->flags) : 0;
	if (last->len)
		memcpy(last->bytes, p, last->len);
	last->needs_packet = find_needs_packet(last);
	return last;
}

void flow__commit_proven(struct flow *f)
{
	if (f->run_cnt && f->run[f->run_cnt - 1].last.needs_packet)
		flow__commit(f);
	f->run_cnt = 0;
}

void flow__add_block(struct flow *f, const struct pt_block *block)
{
	struct flow_block *b;

	if (f->run_cnt && (f->run[f->run_cnt - 1].last.needs_packet || f->run_cnt == FLOW_RUN_MAX))
		flow__commit(f);
	b = &f->run[f->run_cnt++];
	b->ip = block->ip;
	b->end_ip = block->end_ip;
	b->time_ns = f->time_ns;
	b->last = *find_last(f, block);
	b->insn_cnt = block->ninsn;
	b->isid = block->isid;
	b->is_64 = block->mode == ptem_64bit;
	b->in_tx = block->speculative;
}

static void set_block(struct flow *f, struct flow_block *b, const struct code_block *from)
{
	b->ip = from->ip;
	b->end_ip = from->end_ip;
	b->time_ns = f->time_ns;
	b->last = from->last;
	b->insn_cnt = from->insn_cnt;
	b->isid = from->isid;
	b->is_64 = true;
	b->in_tx = false;
}

void flow__add_code(struct flow *f, const struct code_block *block)
{
	if (f->run_cnt == FLOW_RUN_MAX)
		flow__commit(f);
	set_block(f, &f->run[f->run_cnt++], block);
}

bool flow__commit_part(struct flow *f, const struct code_block *block, uint64_t ip)
{
	struct flow_block b;
	uint32_t cnt;

	if (!f->has_items)
		return true;
	set_block(f, &b, block);
	cnt = insns_before(f, &b, ip);
	if (cnt == UINT32_MAX)
		return false;
	flow__commit(f);
	commit_block(f, &b, cnt);
	return true;
}

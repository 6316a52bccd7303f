// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "ptdec/flow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ptdec/code.h"
#include "ptdec/events.h"
#include "ptdec/flow_events.h"
#include "ptdec/flow_priv.h"
#include "ptdec/image.h"
#include "ptdec/packet.h"
#include "ptdec/walk.h"
#include "tracedec/pokes.h"

struct flow *flow__new(struct job *job, struct answer *answer)
{
	struct flow *f = calloc(1, sizeof(*f));

	if (f)
		f->code = code__new(job);
	if (!f || !f->code) {
		free(f);
		return NULL;
	}
	f->job = job;
	f->head = &job->head;
	f->answer = answer;
	f->has_items = job->head.want &
		       (1u << ITRACE_INSN | 1u << ITRACE_BRANCH | 1u << ITRACE_CALL |
			1u << ITRACE_RETURN | 1u << ITRACE_PTWRITE | 1u << ITRACE_TRANSACTION);
	return f;
}

const uint8_t *flow__code(const struct flow *f, int isid, uint64_t ip, size_t *sz)
{
	if (!isid && flow__is_kernel(ip))
		return job__find_code(f->job, JOB_KERNEL, ip, &isid, sz);
	return job__code(f->job, isid, ip, sz);
}

/* The kernel's code is that of now. */
static void update_code(struct flow *f)
{
	if (!f->head->poke_cnt || !pokes__move(f->job, f->time_ns))
		return;
	code__forget_kernel(f->code);
	memset(f->last, 0, sizeof(f->last));
}

void flow__set_time(struct flow *f, uint64_t tsc)
{
	const uint64_t period = f->head->period;
	const uint32_t kind = f->head->period_kind;

	if (tsc == f->tsc)
		return;
	f->tsc = tsc;
	f->time_ns = itrace_job__ns(f->head, tsc);
	update_code(f);
	/* Samples are due at multiples of the period: a chunk begins with none of its own. */
	if (!f->next_ns && period && kind != ITRACE_EACH_INSN)
		f->next_ns = ((kind == ITRACE_EACH_TICK ? tsc : f->time_ns) / period + 1) * period;
}

static void update_time(struct flow *f)
{
	uint64_t tsc;

	if (!pt_blk_time(f->decoder, &tsc, NULL, NULL))
		flow__set_time(f, tsc);
}

static int set_thread(struct flow *f, int32_t pid, int32_t tid)
{
	uint32_t space = job__space(f->job, pid, f->time_ns);
	struct pt_image *image;

	f->pid = pid;
	f->tid = tid;
	if (space == f->space)
		return 0;
	f->space = space;
	if (!f->decoder)
		return 0;
	image = images__get(f->job, space);
	if (!image)
		return -ENOMEM;
	pt_blk_set_image(f->decoder, image);
	return 0;
}

/* The thread that the CPU runs now. A queue of one thread has no switches. */
int flow__update_thread(struct flow *f)
{
	const struct itrace_queue *q = f->queue;
	const struct itrace_switch *sw = f->job->switches + q->first_switch;
	uint32_t next = job__switches(f->job, q, f->next_switch, f->time_ns);

	/* Another mapping may have come meanwhile, too. */
	f->next_switch = next;
	if (!q->switch_cnt)
		return set_thread(f, q->pid, q->tid);
	/* Before the first switch it is unknown which thread runs. */
	return next ? set_thread(f, sw[next - 1].pid, sw[next - 1].tid)
		    : set_thread(f, q->pid, q->tid);
}

static int open_decoder(struct flow *f, size_t sz)
{
	const struct itrace_job *h = f->head;
	struct pt_config config;

	pt_config_init(&config);
	config.begin = f->buf;
	config.end = f->buf + sz;
	if (h->family) {
		config.cpu.vendor = pcv_intel;
		config.cpu.family = h->family;
		config.cpu.model = h->model;
		config.cpu.stepping = h->stepping;
		pt_cpu_errata(&config.errata, &config.cpu);
	}
	config.cpuid_0x15_eax = h->ctc_ratio_d;
	config.cpuid_0x15_ebx = h->ctc_ratio_n;
	config.mtc_freq = h->mtc_freq;
	config.nom_freq = h->nom_freq;
	/* Gaps alone need no blocks that end with their branches. */
	config.flags.variant.block.end_on_call = f->has_items;
	config.flags.variant.block.end_on_jump = f->has_items;
	f->decoder = pt_blk_alloc_decoder(&config);
	f->space = UINT32_MAX;
	return f->decoder ? 0 : -ENOMEM;
}

bool flow__find_next_ip(const uint8_t *p, size_t sz, uint64_t *ip)
{
	struct pt_packet_decoder *decoder;
	struct pt_packet packet;
	struct pt_config config;
	bool found = false;

	pt_config_init(&config);
	config.begin = (uint8_t *)p;
	config.end = (uint8_t *)p + sz;
	decoder = pt_pkt_alloc_decoder(&config);
	if (!decoder)
		return false;
	if (!pt_pkt_sync_set(decoder, 0))
		while (pt_pkt_next(decoder, &packet, sizeof(packet)) > 0 &&
		       packet.type != ppt_psbend)
			if (packet.type == ppt_fup && (packet.payload.ip.ipc == pt_ipc_sext_48 ||
						       packet.payload.ip.ipc == pt_ipc_full)) {
				found = true;
				*ip = packet.payload.ip.ip;
			}
	pt_pkt_free_decoder(decoder);
	if (found && *ip >> 47 & 1)
		*ip |= 0xffffull << 48;
	return found;
}

void flow__disabled(struct flow *f, uint64_t to)
{
	const struct flow_last *last = &f->prev.last;

	if (f->has_prev)
		flow__branch(f, last, last->ip, to,
			     last->flags | ITRACE_FLAG_END |
				     (f->prev.in_tx ? ITRACE_FLAG_IN_TX : 0));
	f->has_prev = false;
}

void flow__async(struct flow *f, uint64_t from, uint64_t to, uint32_t flags)
{
	flow__branch_to(f, from);
	flow__branch(f, NULL, from, to, flags);
	f->has_prev = false;
}

void flow__overflow(struct flow *f, uint64_t ip)
{
	/* It is not known how far the run went, unless its branch had a packet. */
	flow__commit_proven(f);
	f->has_prev = false;
	flow__gap(f, ITRACE_GAP_OVERFLOW, ip, 0);
	if (ip)
		flow__branch(f, NULL, 0, ip, ITRACE_FLAG_BEGIN);
}

static void on_flow_event(struct flow *f, const struct pt_event *ev)
{
	const uint32_t interrupt = ITRACE_FLAG_CALL | ITRACE_FLAG_ASYNC | ITRACE_FLAG_INTERRUPT;

	flow__commit(f);
	f->may_switch = true;
	switch (ev->type) {
	case ptev_enabled:
		f->has_prev = false;
		flow__update_thread(f);
		flow__branch(f, NULL, 0, ev->variant.enabled.ip, ITRACE_FLAG_BEGIN);
		break;
	case ptev_disabled:
		flow__disabled(f, ev->ip_suppressed ? 0 : ev->variant.disabled.ip);
		break;
	case ptev_async_disabled:
		flow__async(f, ev->variant.async_disabled.at,
			    ev->ip_suppressed ? 0 : ev->variant.async_disabled.ip,
			    f->is_aborted ? ITRACE_FLAG_TX_ABORT
					  : ITRACE_FLAG_ASYNC | ITRACE_FLAG_END);
		break;
	default:
		flow__async(f, ev->variant.async_branch.from,
			    ev->ip_suppressed ? 0 : ev->variant.async_branch.to,
			    f->is_aborted ? ITRACE_FLAG_TX_ABORT : interrupt);
		break;
	}
	f->is_aborted = false;
}

static void on_event(struct flow *f, const struct pt_event *ev)
{
	switch (ev->type) {
	case ptev_enabled:
	case ptev_disabled:
	case ptev_async_disabled:
	case ptev_async_branch:
		on_flow_event(f, ev);
		break;
	case ptev_overflow:
		f->may_switch = true;
		flow__overflow(f, ev->ip_suppressed ? 0 : ev->variant.overflow.ip);
		break;
	default:
		flow_events__take(f, ev);
		break;
	}
}

/* Takes all events that are due. A status, or a negative error. */
static int take_events(struct flow *f, int status)
{
	struct pt_event ev;

	while (status >= 0 && status & pts_event_pending) {
		status = pt_blk_event(f->decoder, &ev, sizeof(ev));
		if (status < 0)
			break;
		/* The decoder has read on: its own time may be that of a later packet. */
		if (ev.has_tsc)
			flow__set_time(f, ev.tsc);
		if (!ev.status_update || ev.type == ptev_cbr)
			on_event(f, &ev);
	}
	return status;
}

/*
 * Direct jumps need no packet. In an image that is not what ran, or made for it, they may lead back
 * to themselves: then the decoder goes on for ever, and uses no packet up.
 */
static bool stands_still(struct flow *f, const struct pt_block *block)
{
	uint64_t at = 0;
	bool still;

	f->still_blocks++;
	f->still_insns += block->ninsn;
	if (f->still_blocks < FLOW_STILL_BLOCKS && f->still_insns < FLOW_STILL_INSNS)
		return false;
	pt_blk_get_offset(f->decoder, &at);
	still = at == f->still_at;
	f->still_at = at;
	f->still_blocks = f->still_insns = 0;
	return still;
}

/* libipt has no memory for more than some events without code between them: packets are damaged. */
static int without_nomem(int status)
{
	return status == -pte_nomem ? -pte_bad_context : status;
}

/* libipt says nothing of synchronization points that it passes: those up to here are told. */
static void tell_psbs(struct flow *f, size_t sz)
{
	struct packet k = { 0 };
	uint64_t at, ip;

	if (!(f->head->want & 1u << ITRACE_PSB) || pt_blk_get_offset(f->decoder, &at))
		return;
	for (; f->told_at < at; f->told_at += k.sz) {
		packet__read(&k, f->buf + f->told_at, f->buf + sz);
		if (k.kind == PACKET_PSB)
			flow_events__psb(
				f, f->told_at,
				flow__find_next_ip(f->buf + f->told_at, sz - f->told_at, &ip) ? ip
											      : 0);
		/* Other packets are libipt's. */
		if (!k.sz)
			k.sz = 1;
	}
}

/* Decodes from a PSB on, to the end of the chunk or to an error, which is returned. */
static int follow(struct flow *f, int status, size_t sz, uint64_t *ip)
{
	struct pt_block block = { 0 };
	unsigned int after_end = 0;
	int err;

	f->still_at = UINT64_MAX;
	f->still_blocks = f->still_insns = 0;
	flow__update_thread(f);
	f->told_at = f->synced_at;
	for (;;) {
		tell_psbs(f, sz);
		status = take_events(f, status);
		if (status < 0)
			return without_nomem(status);
		if (f->may_switch) {
			err = flow__update_thread(f);
			if (err)
				return -pte_nomem;
			f->may_switch = false;
		}
		block.ninsn = 0;
		status = pt_blk_next(f->decoder, &block, sizeof(block));
		update_time(f);
		*ip = block.ip;
		if (f->has_items && block.ninsn && (status >= 0 || status == -pte_eos))
			flow__add_block(f, &block);
		f->may_switch = flow__is_kernel(block.ip);
		if (status < 0)
			return without_nomem(status);
		/* No packet is left, but direct jumps and calls go on without. */
		if (status & pts_eos && ++after_end > FLOW_RUN_MAX / 2)
			return -pte_eos;
		if (stands_still(f, &block))
			return -pte_bad_query;
	}
}

static void end_run(struct flow *f, const struct itrace_chunk *c)
{
	uint64_t ip;

	if (c->tail_sz && flow__find_next_ip(f->buf + c->sz, c->tail_sz, &ip))
		flow__commit_up_to(f, ip);
	flow__commit_proven(f);
	f->has_prev = false;
}

/* The cause of an error at this offset of the chunk, where `sz` bytes are known. */
static enum itrace_gap gap_of(const struct flow *f, int err, size_t at, size_t sz)
{
	if (err == -pte_nomap)
		return ITRACE_GAP_NO_CODE;
	return err == -pte_bad_opc && at < sz && packet__is_event(f->buf + at, f->buf + sz)
		       ? ITRACE_GAP_PACKET
		       : ITRACE_GAP_DAMAGE;
}

void flow__lose(struct flow *f, enum itrace_gap gap, uint64_t ip, uint64_t sz)
{
	if (gap == ITRACE_GAP_NO_CODE)
		flow__commit(f);
	else
		flow__commit_proven(f);
	f->has_prev = false;
	f->skipped_sz += sz;
	flow__gap(f, gap, ip, sz);
}

/* Looks for the next PSB after an error; the bytes up to it are a gap. A status, or an error. */
static int resync(struct flow *f, const struct itrace_chunk *c, int err, uint64_t ip)
{
	uint64_t at = f->synced_at, next = c->sz;
	enum itrace_gap gap;
	int status;

	pt_blk_get_offset(f->decoder, &at);
	gap = gap_of(f, err, at, c->sz);
	status = pt_blk_sync_forward(f->decoder);
	if (status >= 0)
		pt_blk_get_sync_offset(f->decoder, &next);
	if (at > next)
		at = next;
	f->synced_at = next;
	flow__lose(f, gap, ip, next - at);
	if (status >= 0)
		update_time(f);
	return status;
}

/* Decodes a chunk by libipt. */
static int decode(struct flow *f, const struct itrace_chunk *c)
{
	uint64_t ip = 0, first = c->sz;
	int status = pt_blk_sync_forward(f->decoder);

	if (status >= 0)
		pt_blk_get_sync_offset(f->decoder, &first);
	if (first) {
		f->skipped_sz = first;
		flow__gap(f, ITRACE_GAP_DAMAGE, 0, first);
	}
	f->synced_at = first;
	while (status >= 0) {
		update_time(f);
		status = follow(f, status, c->sz, &ip);
		if (status == -pte_nomem)
			return -ENOMEM;
		if (status == -pte_eos)
			break;
		status = resync(f, c, status, ip);
	}
	if (status == -pte_eos)
		end_run(f, c);
	return 0;
}

static int decode_by_libipt(struct flow *f, const struct itrace_chunk *c)
{
	int err;

	events__prepare(f->buf, c->sz);
	err = open_decoder(f, c->sz);
	if (!err)
		err = decode(f, c);
	pt_blk_free_decoder(f->decoder);
	f->decoder = NULL;
	return err;
}

int flow__chunk(struct flow *f, uint32_t chunk)
{
	const struct itrace_chunk *c = &f->job->chunks[chunk];
	size_t sz = c->sz + c->tail_sz;
	int err;

	if (c->queue >= f->head->queue_cnt)
		return -EBADMSG;
	f->queue = &f->job->queues[c->queue];
	if ((uint64_t)f->queue->first_switch + f->queue->switch_cnt > f->head->switch_cnt)
		return -EBADMSG;
	f->answer->chunk = chunk;
	if (sz > f->buf_sz) {
		free(f->buf);
		f->buf = malloc(sz);
		f->buf_sz = f->buf ? sz : 0;
		if (!f->buf)
			return -ENOMEM;
	}
	f->time_ns = c->start_ns;
	update_code(f);
	f->next_switch = f->run_cnt = 0;
	f->is_aborted = false;
	f->tsc = f->next_ns = f->insn_cnt = f->decoded_sz = f->skipped_sz = 0;
	f->has_prev = false;
	f->space = UINT32_MAX;
	if (!c->sz || !job__read(f->job, c, f->buf)) {
		flow__gap(f, ITRACE_GAP_DAMAGE, 0, c->sz);
		answer__end_chunk(f->answer, &(struct itrace_frame){ .skipped_sz = c->sz });
		return 0;
	}
	err = walk__can(f, c) ? walk__chunk(f, c) : decode_by_libipt(f, c);
	if (!err)
		flow__end_samples(f);
	if (!err)
		answer__end_chunk(f->answer,
				  &(struct itrace_frame){ .decoded_sz = c->sz - f->skipped_sz,
							  .skipped_sz = f->skipped_sz,
							  .insn_cnt = f->insn_cnt });
	return err;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "etmdec/flow_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracedec/pokes.h"
#include "util/partition.h"

/* Bytes that libopencsd is given at once: a multiple of a frame. */
#define BLOCK_SZ (1u << 20)

/* TRCCONFIGR: which context id has the tid, that of EL1 (CID) or of EL2 (VMID). */
#define CONFIGR_CID (1u << 6)
#define CONFIGR_VMID (1u << 7 | 1u << 15)

struct itrace_item *etm_flow__item(struct etm_flow *f, const struct etm_unit *u,
				   enum itrace_kind kind, uint64_t ip)
{
	struct itrace_item *item = answer__add(f->answer);

	item->time_ns = f->time_ns;
	item->ip = ip;
	item->pid = u->pid;
	item->tid = u->tid;
	item->cpu = u->etm && u->etm->cpu >= 0 ? (uint16_t)(u->etm->cpu + 1) : 0;
	item->kind = kind;
	item->is_kernel = ip >> 63;
	return item;
}

void etm_flow__gap(struct etm_flow *f, const struct etm_unit *u, enum itrace_gap gap, uint64_t ip,
		   uint64_t sz)
{
	struct itrace_item *item = etm_flow__item(f, u, ITRACE_ERROR, ip);

	item->gap = gap;
	item->period = sz;
}

void etm_flow__lose(struct etm_unit *u, enum itrace_gap gap, uint64_t at, uint64_t ip)
{
	if (u->is_lost)
		return;
	u->is_lost = true;
	u->is_synced = u->is_synced && u->synced_at >= at;
	u->lost_as = gap;
	u->lost_at = at;
	u->lost_ip = ip;
}

void etm_flow__found(struct etm_flow *f, struct etm_unit *u, uint64_t at)
{
	uint64_t from = u->lost_at > f->skipped_to ? u->lost_at : f->skipped_to;
	uint64_t sz = at > from ? at - from : 0;

	if (!u->is_lost)
		return;
	u->is_lost = false;
	f->skipped_sz += sz;
	if (sz)
		f->skipped_to = at;
	/* A trace that synchronizes at once has lost nothing. */
	if (sz || u->lost_as != ITRACE_GAP_DAMAGE)
		etm_flow__gap(f, u, u->lost_as, u->lost_ip, sz);
}

uint32_t etm_flow__read(const struct etm_flow *f, struct etm_unit *u, uint64_t addr, uint8_t *buf,
			uint32_t sz)
{
	uint32_t done = 0;
	size_t left;

	while (done < sz) {
		const uint8_t *p = job__code(f->job, u->isid, addr + done, &left);

		if (!p)
			p = job__find_code(f->job, u->space, addr + done, &u->isid, &left);
		if (!p)
			break;
		if (left > sz - done)
			left = sz - done;
		memcpy(buf + done, p, left);
		done += (uint32_t)left;
	}
	return done;
}

static int32_t pid_of(const struct job *j, int32_t tid)
{
	uint32_t lo = partition_point(0, j->head.thread_cnt, i, j->threads[i].tid < tid);

	return lo < j->head.thread_cnt && j->threads[lo].tid == tid ? j->threads[lo].pid : tid;
}

static void set_thread(const struct etm_flow *f, struct etm_unit *u, int32_t pid, int32_t tid)
{
	const uint32_t space = job__space(f->job, pid, f->time_ns);

	u->pid = pid;
	u->tid = tid;
	if (u->space != space)
		u->isid = 0;
	u->space = space;
}

/* The unit of an id. The first element of it in a chunk comes from the thread that is known. */
static struct etm_unit *unit_of(struct etm_flow *f, uint8_t id)
{
	struct etm_unit *u = id < TREE_IDS ? &f->units[id] : NULL;
	const struct itrace_etm *etm = tree__unit(f->tree, id);
	const struct itrace_switch *sw = f->job->switches + f->queue->first_switch;
	uint32_t n;

	if (!u || !etm)
		return NULL;
	if (u->etm)
		return u;
	u->etm = etm;
	n = job__switches(f->job, f->queue, 0, f->time_ns);
	/* The switches are those of the queue's CPU, where it may have others than one thread. */
	if (n && etm->cpu == f->queue->cpu)
		set_thread(f, u, sw[n - 1].pid, sw[n - 1].tid);
	else if (f->queue->cpu < 0 || f->queue->tid > 0)
		set_thread(f, u, f->queue->pid, f->queue->tid);
	else
		set_thread(f, u, -1, -1);
	return u;
}

/* A context id is the thread's, but in the area of one thread that is known anyway. */
static void on_context(const struct etm_flow *f, struct etm_unit *u, const ocsd_pe_context *c)
{
	const uint32_t configr = u->etm->configr;

	if (f->queue->cpu < 0)
		set_thread(f, u, f->queue->pid, f->queue->tid);
	else if (configr & CONFIGR_VMID && c->vmid_valid)
		set_thread(f, u, pid_of(f->job, (int32_t)c->vmid), (int32_t)c->vmid);
	else if (!(configr & CONFIGR_VMID) && configr & CONFIGR_CID && c->ctxt_id_valid)
		set_thread(f, u, pid_of(f->job, (int32_t)c->context_id), (int32_t)c->context_id);
}

static void on_timestamp(struct etm_flow *f, uint64_t tick)
{
	const uint64_t ns = f->head->has_ns ? itrace_job__ns(f->head, tick) : 0;
	uint64_t now;

	f->tick = tick;
	if (ns > f->time_ns)
		f->time_ns = ns;
	pokes__move(f->job, f->time_ns);
	now = f->head->period_kind == ITRACE_EACH_TICK ? tick : f->time_ns;
	/* Samples are due at multiples of the period: a chunk begins with none of its own. */
	if (!f->next_at && f->head->period && f->head->period_kind != ITRACE_EACH_INSN)
		f->next_at = (now / f->head->period + 1) * f->head->period;
}

static ocsd_datapath_resp_t on_element(const void *ctx, ocsd_trc_index_t at, uint8_t id,
				       const ocsd_generic_trace_elem *elem)
{
	struct etm_flow *f = (struct etm_flow *)ctx;
	struct etm_unit *u = unit_of(f, id);

	if (!u)
		return OCSD_RESP_CONT;
	if (elem->elem_type == OCSD_GEN_TRC_ELEM_PE_CONTEXT)
		on_context(f, u, &elem->context);
	else if (elem->elem_type == OCSD_GEN_TRC_ELEM_TIMESTAMP)
		on_timestamp(f, elem->timestamp);
	else
		etm_branch__element(f, u, at, elem);
	return OCSD_RESP_CONT;
}

static uint32_t read_code(const void *ctx, const ocsd_vaddr_t addr,
			  const ocsd_mem_space_acc_t space, const uint8_t id, const uint32_t sz,
			  uint8_t *buf)
{
	struct etm_flow *f = (struct etm_flow *)ctx;
	struct etm_unit *u = unit_of(f, id);

	(void)space;
	return u ? etm_flow__read(f, u, addr, buf, sz) : 0;
}

static void on_synced(void *ctx, uint8_t id, uint64_t at)
{
	struct etm_flow *f = ctx;

	f->units[id].synced_at = at;
	f->units[id].is_synced = true;
}

struct etm_flow *etm_flow__new(struct job *job, struct answer *answer)
{
	struct etm_flow *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->job = job;
	f->head = &job->head;
	f->answer = answer;
	f->calls = (struct tree_calls){ on_element, read_code, on_synced, f };
	return f;
}

/* The decoder goes on behind `at` with new synchronization alone: all units lose what is there. */
static void on_fatal(struct etm_flow *f, uint64_t at)
{
	unsigned int id;

	for (id = 0; id < TREE_IDS; id++)
		if (f->units[id].etm)
			etm_flow__lose(&f->units[id], ITRACE_GAP_DAMAGE, at, 0);
	tree__reset(f->tree);
}

static void decode(struct etm_flow *f, const struct itrace_chunk *c)
{
	const uint64_t whole = c->is_raw ? c->sz : c->sz - c->sz % TREE_FRAME_SZ;
	const uint32_t least = c->is_raw ? 1 : TREE_FRAME_SZ;
	uint64_t at = 0;
	bool is_fatal;

	while (at < whole) {
		const uint32_t sz = whole - at < BLOCK_SZ ? (uint32_t)(whole - at) : BLOCK_SZ;
		uint32_t taken = tree__decode(f->tree, at, f->buf + at, sz, &is_fatal);

		taken -= taken % least;
		if (!taken && !is_fatal)
			break;
		if (is_fatal) {
			on_fatal(f, at + taken);
			taken = taken ? taken : least;
		}
		at += taken;
	}
	tree__end(f->tree);
}

/* No unit has decoded the rest of a frame that was cut, and the bytes of units that are unknown. */
static void end_chunk(struct etm_flow *f, const struct itrace_chunk *c)
{
	const uint64_t rest = c->is_raw ? 0 : c->sz % TREE_FRAME_SZ;
	const struct etm_unit any = { .pid = f->queue->pid, .tid = f->queue->tid };
	uint64_t foreign = tree__foreign_sz(f->tree);
	const struct etm_unit *last = &any;
	unsigned int id;

	for (id = 0; id < TREE_IDS; id++) {
		struct etm_unit *u = &f->units[id];

		if (!u->etm)
			continue;
		last = u;
		/* Synchronized, but the trace was off. */
		etm_flow__found(f, u,
				u->is_synced && u->lost_as == ITRACE_GAP_DAMAGE ? u->synced_at
										: c->sz - rest);
	}
	etm_sample__end(f, last);
	if (rest)
		etm_flow__gap(f, &any, ITRACE_GAP_DAMAGE, 0, rest);
	f->skipped_sz += rest;
	if (last == &any && c->sz > rest)
		foreign = c->sz - rest;
	if (foreign > c->sz - f->skipped_sz)
		foreign = c->sz - f->skipped_sz;
	if (foreign)
		etm_flow__gap(f, &any, ITRACE_GAP_UNIT, 0, foreign);
	f->skipped_sz += foreign;
}

/* Reads the bytes. false: they are not all there; -ENOMEM is told by buf. */
static bool read_chunk(struct etm_flow *f, const struct itrace_chunk *c)
{
	if (c->sz > f->buf_sz) {
		free(f->buf);
		f->buf = malloc(c->sz);
		f->buf_sz = f->buf ? c->sz : 0;
	}
	return f->buf && c->sz && job__read(f->job, c, f->buf);
}

int etm_flow__chunk(struct etm_flow *f, uint32_t chunk)
{
	const struct itrace_chunk *c = &f->job->chunks[chunk];

	if (c->queue >= f->head->queue_cnt)
		return -EBADMSG;
	f->queue = &f->job->queues[c->queue];
	if ((uint64_t)f->queue->first_switch + f->queue->switch_cnt > f->head->switch_cnt)
		return -EBADMSG;
	f->answer->chunk = chunk;
	f->time_ns = c->start_ns;
	pokes__move(f->job, f->time_ns);
	f->tick = f->next_at = f->insn_cnt = f->skipped_sz = f->skipped_to = 0;
	memset(f->units, 0, sizeof(f->units));
	if (!read_chunk(f, c)) {
		const struct etm_unit any = { .pid = f->queue->pid, .tid = f->queue->tid };

		if (c->sz && !f->buf)
			return -ENOMEM;
		etm_flow__gap(f, &any, ITRACE_GAP_DAMAGE, 0, c->sz);
		answer__end_chunk(f->answer, &(struct itrace_frame){ .skipped_sz = c->sz });
		return 0;
	}
	f->tree = tree__new(f->job, c, &f->calls);
	if (!f->tree)
		return -ENOMEM;
	decode(f, c);
	end_chunk(f, c);
	tree__free(f->tree);
	answer__end_chunk(f->answer, &(struct itrace_frame){ .decoded_sz = c->sz - f->skipped_sz,
							     .skipped_sz = f->skipped_sz,
							     .insn_cnt = f->insn_cnt });
	return 0;
}

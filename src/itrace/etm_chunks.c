// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "itrace/etm_chunks.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include <linux/perf_event.h>

#include "itrace/collect_priv.h"
#include "util/array.h"

/* PERF_AUX_FLAG_PMU_FORMAT_TYPE_MASK and PERF_AUX_FLAG_CORESIGHT_FORMAT_RAW (5.13). */
#define AUX_FORMAT_MASK 0xff00
#define AUX_FORMAT_RAW 0x0100

/* perf pads the bytes of a record with zeros to a multiple of this. */
#define RECORD_ALIGN 8

/* The parts of one piece, from its begin on. */
struct cut {
	struct job_plan *plan;
	const struct collect *c;
	const struct collect_queue *q;
	uint32_t queue, piece; /* piece: its index in the plan */
	uint64_t aux_off; /* of the piece */
	uint64_t at; /* up to which chunks were made */
	uint64_t before_ns; /* when the bytes before were complete */
};

static int add_chunk(struct cut *cut, const struct collect_aux *aux, uint64_t from, uint64_t to)
{
	struct job_plan *plan = cut->plan;

	if (array__reserve((void **)&plan->chunks, &plan->chunk_cap, plan->chunk_cnt + 1,
			   sizeof(*plan->chunks)))
		return -ENOMEM;
	plan->chunks[plan->chunk_cnt++] = (struct itrace_chunk){
		.queue = cut->queue,
		/* Without a time of its own, all of it is taken to be of the moment it ended. */
		.start_ns = plan->head.has_ns ? cut->before_ns : aux->time_ns,
		.aux_off = cut->aux_off + from,
		.first_piece = cut->piece,
		.skip = from,
		.sz = to - from,
		.is_raw = (aux->flags & AUX_FORMAT_MASK) == AUX_FORMAT_RAW,
		.cpu = aux->cpu,
	};
	if (cut->before_ns < aux->time_ns)
		cut->before_ns = aux->time_ns;
	cut->at = to;
	return 0;
}

/* The range of an AUX record in a piece. false: it has none. */
static bool range_of(const struct collect_aux *aux, const struct collect_piece *p, uint64_t *from,
		     uint64_t *to)
{
	uint64_t sz = aux->sz, off = aux->off;

	/* A snapshot: the position is that of its end. */
	if (aux->flags & PERF_AUX_FLAG_OVERWRITE) {
		if (sz > p->sz)
			sz = p->sz;
		off -= sz;
	}
	/* It may begin before the piece, and go on in it. */
	if (off < p->aux_off) {
		if (p->aux_off - off >= sz)
			return false;
		sz -= p->aux_off - off;
		off = p->aux_off;
	}
	*from = off - p->aux_off;
	if (*from >= p->sz)
		return false;
	*to = *from + (sz < p->sz - *from ? sz : p->sz - *from);
	return true;
}

/* Cuts a piece by the AUX records of its queue, from the one with index *next on. */
static int cut_piece(struct cut *cut, const struct collect_piece *p, size_t *next, size_t end)
{
	const struct collect *c = cut->c;
	struct collect_aux last = { .time_ns = cut->before_ns, .cpu = cut->q->cpu };
	uint64_t from, to;
	size_t i;
	int err = 0;

	cut->at = 0;
	cut->aux_off = p->aux_off;
	for (i = *next; i < end && !err; i++) {
		/* Positions go on. */
		if (c->auxes[i].off > p->aux_off && c->auxes[i].off - p->aux_off > p->sz)
			break;
		if (!range_of(&c->auxes[i], p, &from, &to) || from < cut->at)
			continue;
		last = c->auxes[i];
		/* The record of these bytes was lost. */
		if (from - cut->at >= RECORD_ALIGN)
			err = add_chunk(cut, &last, cut->at, from);
		if (!err)
			err = add_chunk(cut, &last, from, to);
		*next = i + 1;
		if (p->sz - to < RECORD_ALIGN)
			break;
	}
	if (!err && p->sz - cut->at >= RECORD_ALIGN)
		err = add_chunk(cut, &last, cut->at, p->sz);
	return err;
}

/* The trace of a queue cannot begin before. */
static uint64_t begin_of(const struct collect *c)
{
	uint64_t ns = UINT64_MAX;
	size_t i;

	for (i = 0; i < c->run_cnt; i++)
		if (c->runs[i].sw.time_ns < ns)
			ns = c->runs[i].sw.time_ns;
	return ns == UINT64_MAX ? 0 : ns;
}

int etm_chunks__cut(struct job_plan *plan, const struct collect *c, uint32_t queue)
{
	struct cut cut = { .plan = plan,
			   .c = c,
			   .q = &c->queues[queue],
			   .queue = queue,
			   .piece = (uint32_t)plan->piece_cnt,
			   .before_ns = begin_of(c) };
	size_t i, next = collect_etm__first_aux(c, cut.q), end = next;
	int err = job_plan__add_pieces(plan, cut.q);

	while (end < c->aux_cnt && c->auxes[end].key == c->auxes[next].key)
		end++;
	for (i = 0; i < cut.q->piece_cnt && !err; i++, cut.piece++)
		err = cut_piece(&cut, &cut.q->pieces[i], &next, end);
	return err;
}

static int by_tid(const void *a, const void *b)
{
	const struct itrace_thread *x = a, *y = b;

	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

struct itrace_thread *etm_chunks__threads(const struct collect *c, uint32_t *cnt)
{
	struct itrace_thread *threads = calloc(c->pid_of.used + 1, sizeof(*threads));
	size_t at = 0;
	uint64_t tid;
	uint32_t pid;

	*cnt = 0;
	if (!threads || c->info.unit != ITRACE_UNIT_ETM)
		return threads;
	while (*cnt < c->pid_of.used && u64map__next(&c->pid_of, &at, &tid, &pid))
		threads[(*cnt)++] = (struct itrace_thread){ (int32_t)tid, (int32_t)pid };
	qsort(threads, *cnt, sizeof(*threads), by_tid);
	return threads;
}

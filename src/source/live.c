// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <errno.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "data/build_id_bit.h"
#include "data/record_layout.h"
#include "source/live_priv.h"
#include "source/merge.h"
#include "source/ring_sample.h"
#include "util/mono.h"

/*
 * A record is stamped first and put into its ring or batch later; an interrupt may come in between.
 * Records stamped at least this long before a CPU's batch was seen empty and its ring read are in
 * the queue. Later ones are counted (live_source__late) and handed on out of order.
 */
#define SETTLE_NS 10000000ull

/*
 * While is_early: a program that was running at one visit of its CPU, after it had stamped its
 * record and before it took a level, has committed the record at a visit this much later.
 */
#define EARLY_SETTLE_NS 900000ull

/* Minimum interval between two sends of a batch, however often the rings are read. */
#define FLUSH_NS 20000000ull
/* Retries while a program is running on the CPU, which takes less than a microsecond. */
#define FLUSH_TRIES 4

/* Records handed on before the rings are read again: about 1 ms of printing. */
#define BATCH 4096

/* With sample_id_all, a process record ends with its time. */
static uint64_t task_record_time(const struct perf_event_header *hdr)
{
	uint64_t t;

	memcpy(&t, (const char *)hdr + record_layout__size(hdr, sizeof(t)) - sizeof(t), sizeof(t));
	return t;
}

/* Queues the records of one output or batch; sz bytes. */
static int push_recs(struct live_source *src, size_t slot, const void *recs, size_t sz)
{
	struct queue *q = &src->data.queues[slot];
	const char *at = queue__copy(q, recs, sz);
	const struct wire_rec *rec;
	size_t next_sz;
	int err = at ? 0 : -ENOMEM;

	while (!err && (rec = wire_rec__at(at, sz, &next_sz))) {
		if (rec->kind == WIRE_STACK_DEF) {
			err = src->define ? src->define(src->define_ctx, rec) : 0;
		} else {
			src->slots[slot].delivered++;
			if (src->data_read)
				src->data_read(src->read_ctx, rec->tgid);
			err = queue__add(q, rec->time_ns, rec);
		}
		at += next_sz;
		sz -= next_sz;
	}
	return err;
}

/* A loss precedes the first record of the output that reports it. */
static int push_lost(struct live_source *src, size_t slot, uint32_t cnt, const struct wire_rec *rec)
{
	struct wire_lost lost = {
		.head = { .sz = sizeof(lost), .kind = WIRE_LOST, .time_ns = rec->time_ns },
		.cnt = cnt,
	};

	return queue__push(&src->data.queues[slot], rec->time_ns, &lost, sizeof(lost));
}

int live__push_data(struct live_source *src, size_t slot, const struct perf_event_header *hdr)
{
	const struct ring_sample *rs = (const void *)hdr;
	struct slot *s = &src->slots[slot];
	const struct wire_rec *first;
	size_t sz, next_sz;
	int err = 0;

	/* PERF_RECORD_LOST adds nothing to the counts in the outputs. */
	if (hdr->type != PERF_RECORD_SAMPLE)
		return 0;
	sz = ring_sample__recs_sz(hdr);
	first = wire_rec__at(rs->recs, sz, &next_sz);
	if (!first)
		return 0;
	/* An interrupt's output may be older than the preceding batch; a definition has no time. */
	if ((int32_t)(rs->out.lost - s->lost) > 0 && first->kind != WIRE_STACK_DEF) {
		err = push_lost(src, slot, rs->out.lost - s->lost, first);
		s->lost = rs->out.lost;
	}
	return err ? err : push_recs(src, slot, rs->recs, sz);
}

enum bpf_perf_event_ret live__on_data(void *ctx, int cpu, struct perf_event_header *hdr)
{
	struct live_source *src = ctx;

	src->err = live__push_data(src, src->slot_of_cpu[cpu], hdr);
	return src->err ? LIBBPF_PERF_EVENT_ERROR : LIBBPF_PERF_EVENT_CONT;
}

enum bpf_perf_event_ret live__on_task(void *ctx, int cpu, struct perf_event_header *hdr)
{
	struct live_source *src = ctx;
	struct queue *q = &src->task.queues[src->slot_of_cpu[cpu]];
	struct record rec = { .cpu = (uint32_t)cpu, .kind = RECORD_PROC };
	struct perf_event_header *copy;

	if (hdr->size < sizeof(*hdr) + sizeof(uint64_t))
		return LIBBPF_PERF_EVENT_CONT;
	copy = queue__copy(q, hdr, hdr->size);
	if (!copy) {
		src->err = -ENOMEM;
		return LIBBPF_PERF_EVENT_ERROR;
	}
	/* The event of live_open.c asks for no build ids. */
	build_id_bit__clear(copy);
	rec.hdr = copy;
	rec.time_ns = task_record_time(copy);
	if (src->task_read)
		src->task_read(src->read_ctx, &rec);
	src->err = queue__add(q, rec.time_ns, copy);
	return src->err ? LIBBPF_PERF_EVENT_ERROR : LIBBPF_PERF_EVENT_CONT;
}

int live_source__task_fd(const struct live_source *src, uint32_t cpu)
{
	return live_source__has_ring(src, cpu)
		       ? perf_buffer__buffer_fd(src->task.pb, src->slot_of_cpu[cpu])
		       : -1;
}

int live_source__fd(const struct live_source *src)
{
	if (src->wake_fd >= 0)
		return src->wake_fd;
	return perf_buffer__epoll_fd(src->data.pb ? src->data.pb : src->task.pb);
}

/* A CPU that went offline runs no programs and no longer has a ring: read its batch from memory. */
static int take_offline(struct live_source *src, struct slot *s)
{
	const void *recs;
	size_t sz;

	if (!batches__rest(&src->batches, (uint32_t)s->cpu, &recs, &sz))
		return -EBUSY;
	src->err = push_recs(src, (size_t)(s - src->slots), recs, sz);
	batches__clear(&src->batches, (uint32_t)s->cpu);
	return 0;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

int live__flush(struct live_source *src, struct slot *s, int tries)
{
	uint64_t now = mono_ns();
	int err = -EBUSY;

	while (err == -EBUSY && tries--)
		err = src->is_early ? batches__visit(&src->batches, (uint32_t)s->cpu)
				    : batches__flush(&src->batches, (uint32_t)s->cpu);
	if (err == -ENXIO)
		err = take_offline(src, s);
	if (err)
		return err;
	s->settled_ns = later(s->settled_ns, now - SETTLE_NS);
	if (src->is_early && now - s->visited_ns >= EARLY_SETTLE_NS) {
		s->settled_ns = later(s->settled_ns, s->visited_ns);
		s->visited_ns = now;
	}
	return 0;
}

/* Sends the batch of a CPU, if it has one and the minimum interval has passed. */
static void flush_timed(struct live_source *src, struct slot *s)
{
	uint64_t now = mono_ns();

	if (!src->is_early && now - s->tried_ns < FLUSH_NS)
		return;
	s->tried_ns = now;
	live__flush(src, s, FLUSH_TRIES);
}

/*
 * Rings → queues. While the backlog is at its limit, a ring waits until its queue is empty;
 * all others are read. *horizon_ns: all records stamped before it are in the queues.
 */
static int fill_data(struct live_source *src, bool all, uint64_t *horizon_ns)
{
	bool full = !all && !src->stuck && src->pool.full_cnt >= src->full_max;
	size_t i;
	int err;

	for (i = 0; i < src->cpu_cnt; i++) {
		struct slot *s = &src->slots[i];

		/*
		 * Not at the end: live__fill_rest() takes the batches from memory, and a flush
		 * would send the same records again.
		 */
		if (!all)
			flush_timed(src, s);
		if (src->err)
			return src->err;
		if (full && !queue__is_empty(&src->data.queues[i])) {
			src->has_more = true;
		} else {
			err = perf_buffer__consume_buffer(src->data.pb, i);
			if (err)
				return src->err ? src->err : err;
			s->complete_ns = s->settled_ns;
		}
		if (s->complete_ns < *horizon_ns)
			*horizon_ns = s->complete_ns;
	}
	return 0;
}

static int fill(struct live_source *src, const struct ring_set *set)
{
	size_t i;
	int err;

	for (i = 0; i < src->cpu_cnt; i++) {
		err = perf_buffer__consume_buffer(set->pb, i);
		if (err)
			return src->err ? src->err : err;
	}
	return 0;
}

int live__fill_task(struct live_source *src)
{
	return fill(src, &src->task);
}

int live__fill_defs(struct live_source *src)
{
	return src->defs.pb ? fill(src, &src->defs) : 0;
}

int live__fill_rest(struct live_source *src)
{
	const void *recs;
	size_t i, sz;
	int err = 0;

	for (i = 0; i < src->cpu_cnt && !err; i++) {
		struct slot *s = &src->slots[i];

		if (!batches__rest(&src->batches, (uint32_t)s->cpu, &recs, &sz) || sz <= s->rest_sz)
			continue;
		err = push_recs(src, i, (const char *)recs + s->rest_sz, sz - s->rest_sz);
		s->rest_sz = sz;
	}
	return err;
}

static size_t gather(struct live_source *src, struct ring_set *set, size_t cnt)
{
	size_t i;

	for (i = 0; i < src->cpu_cnt; i++)
		if (!queue__is_empty(&set->queues[i]))
			src->heap[cnt++] = &set->queues[i];
	return cnt;
}

static bool is_task_queue(const struct live_source *src, const struct queue *q)
{
	return q >= src->task.queues && q < src->task.queues + src->cpu_cnt;
}

static void set_payload(const struct live_source *src, const struct queue *q, const void *bytes,
			struct record *rec)
{
	const struct wire_rec *w = bytes;

	if (is_task_queue(src, q)) {
		rec->kind = RECORD_PROC;
		rec->hdr = bytes;
	} else {
		rec->kind = w->kind == WIRE_COUNTERS ? RECORD_COUNTERS : RECORD_WIRE;
		rec->wire = w;
	}
}

static int hand_on(struct live_source *src, const struct queue *q, const struct queue_ref *ref,
		   uint64_t settled_ns, record_fn fn, void *ctx)
{
	struct record rec = { .time_ns = ref->time_ns, .settled_ns = settled_ns, .cpu = q->cpu };

	set_payload(src, q, ref->rec, &rec);
	if (rec.kind == RECORD_WIRE && rec.wire->kind == WIRE_LOST)
		return live_source__hand_on_lost(src, rec.cpu, rec.time_ns,
						 ((const struct wire_lost *)rec.wire)->cnt, fn,
						 ctx);
	return fn(ctx, &rec);
}

int live__hand_on(struct live_source *src, bool with_data, uint64_t horizon_ns, size_t max,
		  record_fn fn, void *ctx)
{
	size_t cnt, left = max;
	int err = 0;

	cnt = gather(src, &src->task, 0);
	if (with_data)
		cnt = gather(src, &src->data, cnt);
	merge__heapify(src->heap, cnt);
	while (cnt && !err) {
		struct queue *q = src->heap[0];
		const struct queue_ref *ref = queue__peek(q);

		if (ref->time_ns > horizon_ns)
			break;
		if (src->tasks_until_ns && ref->time_ns > src->tasks_until_ns &&
		    is_task_queue(src, q)) {
			cnt = merge__drop(src->heap, cnt);
			continue;
		}
		if (!left--) {
			src->has_more = true;
			break;
		}
		if (ref->time_ns < src->last_time_ns)
			src->late++;
		else
			src->last_time_ns = ref->time_ns;
		err = hand_on(src, q, ref, with_data ? horizon_ns : 0, fn, ctx);
		queue__pop(q);
		cnt = merge__advance(src->heap, cnt);
	}
	return err;
}

int live_source__drain(struct live_source *src, bool all, record_fn fn, void *ctx)
{
	uint64_t begin_ns = mono_ns();
	uint64_t horizon_ns = begin_ns - (src->is_early ? EARLY_SETTLE_NS : SETTLE_NS);
	uint64_t before_ns = src->last_time_ns;
	int err;

	if (src->flight)
		return live__drain_flight(src, all, fn, ctx);
	src->has_more = false;
	/*
	 * Process events first: the event that names a record's task must be read before the
	 * record.
	 */
	err = live__fill_task(src);
	if (!err)
		err = fill_data(src, all, &horizon_ns);
	if (!err && all)
		err = live__fill_rest(src);
	/*
	 * At the end there are no new samples, but process records keep coming while one ring is
	 * read after the other.
	 */
	src->tasks_until_ns = all ? begin_ns : 0;
	if (!err)
		err = live__hand_on(src, true, all ? UINT64_MAX : horizon_ns,
				    all ? SIZE_MAX : BATCH, fn, ctx);
	src->stuck = src->has_more && src->last_time_ns == before_ns;
	return err;
}

int live_source__add(struct live_source *src, uint32_t cpu, const struct wire_rec *rec)
{
	struct queue *q;

	if (!live_source__has_ring(src, cpu))
		return 0;
	q = &src->data.queues[src->slot_of_cpu[cpu]];
	/* Between dumps the stream contains no other records. */
	if (src->flight && q->end - q->head >= LIVE_ROWS_MAX)
		queue__pop(q);
	return queue__push(q, rec->time_ns, rec, rec->sz);
}

void live_source__set_early(struct live_source *src, bool on)
{
	src->is_early = on;
}

bool live_source__has_more(const struct live_source *src)
{
	return src->has_more;
}

bool live_source__has_ring(const struct live_source *src, uint32_t cpu)
{
	return cpu < src->slot_cnt && src->slots[src->slot_of_cpu[cpu]].cpu == (int)cpu;
}

uint64_t live_source__delivered(const struct live_source *src, uint32_t cpu)
{
	return live_source__has_ring(src, cpu) ? src->slots[src->slot_of_cpu[cpu]].delivered : 0;
}

uint64_t live_source__late(const struct live_source *src)
{
	return src->late;
}

static struct live_source *live_of(const struct source *src)
{
	return (struct live_source *)src;
}

static int drain_base(struct source *src, bool all, record_fn fn, void *ctx)
{
	return live_source__drain(live_of(src), all, fn, ctx);
}

static int dump_base(struct source *src, bool all, record_fn fn, void *ctx)
{
	return live_source__dump(live_of(src), fn, ctx);
}

static int base_fd(const struct source *src)
{
	return live_source__fd(live_of(src));
}

static uint64_t base_delivered(const struct source *src)
{
	const struct live_source *live = live_of(src);
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < live->cpu_cnt; i++)
		sum += live->slots[i].delivered;
	return sum;
}

static uint64_t base_late(const struct source *src)
{
	return live_of(src)->late;
}

static void free_base(struct source *src)
{
	live_source__free(live_of(src));
}

const struct source_ops live__ops = {
	.drain = drain_base,
	.dump = dump_base,
	.fd = base_fd,
	.delivered = base_delivered,
	.late = base_late,
	.free = free_base,
};

struct source *live_source__base(struct live_source *src)
{
	return &src->base;
}

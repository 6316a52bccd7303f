// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "source/live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "source/merge.h"
#include "source/ring_sample.h"
#include "util/log.h"
#include "util/mono.h"

/*
 * A record is stamped, then put into its ring or batch; an interrupt may come
 * between. What was stamped this long before a CPU's batch was seen empty and
 * its ring read is in the queue. Later ones are counted (live_source__late)
 * and handed on all the same.
 */
#define SETTLE_NS 10000000ull

/* A batch is sent no oftener than this, however often the rings are looked at. */
#define FLUSH_NS 20000000ull
/* Tries at once where a program is at work on the CPU: it needs less than a microsecond. */
#define FLUSH_TRIES 4

/*
 * A burst that the sink cannot keep up with waits in memory, since taking a
 * record off its ring is several times faster than printing it. Bounded: past
 * this sum over all queues, or a sixteenth of the machine's memory, records
 * stay in the rings, whose overflow the kernel counts.
 */
#define QUEUED_MAX (256u << 20)

/* Records handed on before the rings are looked at again: about 1 ms of printing. */
#define BATCH 4096

#define TASK_RING_SZ (128u << 10)

/* One kind of ring on all CPUs. */
struct ring_set {
	struct perf_buffer *pb;
	struct queue *queues; /* by position in cfg.cpus, as pb's buffers */
};

/* What the source knows of a CPU. */
struct slot {
	int cpu;
	uint64_t delivered;
	uint32_t lost; /* of the last output seen */
	uint64_t flushed_ns; /* what was committed before this is in the ring */
	uint64_t tried_ns; /* last try to send the batch */
	uint64_t complete_ns; /* what was committed before this is in the queue */
	size_t rest_sz; /* bytes taken from the batch at the end */
};

struct live_source {
	struct ring_set data, task;
	struct batches batches;
	int (*define)(void *ctx, const struct wire_rec *rec);
	void *define_ctx;
	int task_map_fd;
	size_t cpu_cnt, ring_sz;
	int *cpus;
	struct slot *slots; /* by position in cpus */
	size_t *slot_of_cpu; /* CPU → position in cpus */
	size_t slot_cnt;
	uint64_t late, last_time_ns;
	struct queue **heap;
	struct queue_pool pool; /* of all queues */
	size_t full_max; /* chunks of backlog */
	bool has_more;
	bool stuck; /* the last drain could hand on nothing of a full backlog */
	int err; /* of a push */
};

/* With sample_id_all, a process record ends with its time. */
static uint64_t task_record_time(const struct perf_event_header *hdr)
{
	uint64_t t;

	memcpy(&t, (const char *)hdr + hdr->size - sizeof(t), sizeof(t));
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
			err = queue__add(q, rec->time_ns, rec);
		}
		at += next_sz;
		sz -= next_sz;
	}
	return err;
}

/* What was lost goes before the first record of the output that tells of it. */
static int push_lost(struct live_source *src, size_t slot, uint32_t cnt, const struct wire_rec *rec)
{
	struct wire_lost lost = {
		.head = { .sz = sizeof(lost), .kind = WIRE_LOST, .time_ns = rec->time_ns },
		.cnt = cnt,
	};

	return queue__push(&src->data.queues[slot], rec->time_ns, &lost, sizeof(lost));
}

static int push_data(struct live_source *src, size_t slot, const struct perf_event_header *hdr)
{
	const struct ring_sample *rs = (const void *)hdr;
	struct slot *s = &src->slots[slot];
	const struct wire_rec *first;
	size_t sz, next_sz;
	int err = 0;

	/* PERF_RECORD_LOST says nothing that the outputs do not. */
	if (hdr->type != PERF_RECORD_SAMPLE)
		return 0;
	sz = ring_sample__recs_sz(hdr);
	first = wire_rec__at(rs->recs, sz, &next_sz);
	if (!first)
		return 0;
	/* An interrupt's output may be older than the batch before it; a definition has no time. */
	if ((int32_t)(rs->out.lost - s->lost) > 0 && first->kind != WIRE_STACK_DEF) {
		err = push_lost(src, slot, rs->out.lost - s->lost, first);
		s->lost = rs->out.lost;
	}
	return err ? err : push_recs(src, slot, rs->recs, sz);
}

static enum bpf_perf_event_ret on_data(void *ctx, int cpu, struct perf_event_header *hdr)
{
	struct live_source *src = ctx;

	src->err = push_data(src, src->slot_of_cpu[cpu], hdr);
	return src->err ? LIBBPF_PERF_EVENT_ERROR : LIBBPF_PERF_EVENT_CONT;
}

static enum bpf_perf_event_ret on_task(void *ctx, int cpu, struct perf_event_header *hdr)
{
	struct live_source *src = ctx;

	if (hdr->size < sizeof(*hdr) + sizeof(uint64_t))
		return LIBBPF_PERF_EVENT_CONT;
	src->err = queue__push(&src->task.queues[src->slot_of_cpu[cpu]], task_record_time(hdr), hdr,
			       hdr->size);
	return src->err ? LIBBPF_PERF_EVENT_ERROR : LIBBPF_PERF_EVENT_CONT;
}

/* Opens one ring per CPU on the map. -errno. */
static int open_rings(struct live_source *src, struct ring_set *set, int map_fd, size_t sz,
		      struct perf_event_attr *attr, perf_buffer_event_fn fn)
{
	LIBBPF_OPTS(perf_buffer_raw_opts, opts, .cpu_cnt = (int)src->cpu_cnt, .cpus = src->cpus,
		    .map_keys = src->cpus);
	size_t i;

	attr->size = sizeof(*attr);
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	/* Wake the reader for a quarter of a ring, not for each record: that would cost 10 × the record. */
	attr->watermark = 1;
	attr->wakeup_watermark = (uint32_t)(sz / 4);
	set->queues = calloc(src->cpu_cnt, sizeof(*set->queues));
	if (!set->queues)
		return -ENOMEM;
	for (i = 0; i < src->cpu_cnt; i++) {
		set->queues[i].cpu = (uint32_t)src->cpus[i];
		set->queues[i].pool = &src->pool;
	}
	set->pb = perf_buffer__new_raw(map_fd, sz / (size_t)sysconf(_SC_PAGESIZE), attr, fn, src,
				       &opts);
	return set->pb ? 0 : -errno;
}

static int open_data(struct live_source *src, const struct live_config *cfg)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.sample_type = PERF_SAMPLE_RAW,
		.sample_period = 1,
	};

	return open_rings(src, &src->data, cfg->rings_fd, src->ring_sz, &attr, on_data);
}

/*
 * Process events need no BPF: a dummy event asks the kernel for them. On rings
 * of their own they are not lost when events flood the data rings.
 */
static int open_task(struct live_source *src, const struct live_config *cfg)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.task = 1,
		.comm = 1,
		.comm_exec = 1,
		.mmap = cfg->want_mmap,
		.mmap2 = cfg->want_mmap,
		.ksymbol = cfg->want_mmap,
	};

	src->task_map_fd = bpf_map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "task_rings", sizeof(int),
					  sizeof(int), (__u32)libbpf_num_possible_cpus(), NULL);
	if (src->task_map_fd < 0)
		return src->task_map_fd;
	return open_rings(src, &src->task, src->task_map_fd, TASK_RING_SZ, &attr, on_task);
}

static void explain_open_failure(const struct live_source *src, int err)
{
	size_t kib = src->ring_sz >> 10;

	if (err == -ENOMEM || err == -EPERM)
		log_error("cannot map rings of %zu KiB on %zu CPUs: %s; give a smaller -m, or "
			  "raise kernel.perf_event_mlock_kb",
			  kib, src->cpu_cnt, strerror(-err));
	else if (err == -EMFILE)
		log_error("cannot open rings on %zu CPUs: too many open files; raise `ulimit -n`",
			  src->cpu_cnt);
	else
		log_error("cannot open rings of %zu KiB on %zu CPUs: %s; -vv shows what libbpf "
			  "says",
			  kib, src->cpu_cnt, strerror(-err));
}

static int copy_cpus(struct live_source *src, const struct live_config *cfg)
{
	size_t i;

	src->cpu_cnt = cfg->cpu_cnt;
	src->cpus = calloc(cfg->cpu_cnt, sizeof(*src->cpus));
	src->slots = calloc(cfg->cpu_cnt, sizeof(*src->slots));
	src->heap = calloc(2 * cfg->cpu_cnt, sizeof(*src->heap));
	if (!src->cpus || !src->slots || !src->heap)
		return -ENOMEM;
	for (i = 0; i < cfg->cpu_cnt; i++) {
		src->cpus[i] = src->slots[i].cpu = cfg->cpus[i];
		if ((size_t)cfg->cpus[i] >= src->slot_cnt)
			src->slot_cnt = (size_t)cfg->cpus[i] + 1;
	}
	src->slot_of_cpu = calloc(src->slot_cnt, sizeof(*src->slot_of_cpu));
	if (!src->slot_of_cpu)
		return -ENOMEM;
	for (i = 0; i < cfg->cpu_cnt; i++)
		src->slot_of_cpu[cfg->cpus[i]] = i;
	return 0;
}

static size_t full_chunks_max(void)
{
	size_t memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
	size_t sz = memory / 16 < QUEUED_MAX ? memory / 16 : QUEUED_MAX;

	return sz / QUEUE_CHUNK_SZ;
}

struct live_source *live_source__new(const struct live_config *cfg)
{
	struct live_source *src = calloc(1, sizeof(*src));
	int err;

	if (!src) {
		log_error("out of memory");
		return NULL;
	}
	src->task_map_fd = -1;
	src->batches = cfg->batches;
	src->define = cfg->define;
	src->define_ctx = cfg->define_ctx;
	src->full_max = full_chunks_max();
	src->ring_sz = cfg->ring_sz ? cfg->ring_sz : live_source__default_ring_sz(cfg->cpu_cnt);
	err = copy_cpus(src, cfg);
	if (!err)
		err = open_task(src, cfg);
	if (!err)
		err = open_data(src, cfg);
	if (!err)
		return src;
	explain_open_failure(src, err);
	live_source__free(src);
	errno = -err;
	return NULL;
}

static void free_rings(struct live_source *src, struct ring_set *set)
{
	size_t i;

	perf_buffer__free(set->pb);
	for (i = 0; set->queues && i < src->cpu_cnt; i++)
		queue__free(&set->queues[i]);
	free(set->queues);
}

void live_source__free(struct live_source *src)
{
	if (!src)
		return;
	free_rings(src, &src->data);
	free_rings(src, &src->task);
	queue_pool__free(&src->pool);
	if (src->task_map_fd >= 0)
		close(src->task_map_fd);
	free(src->cpus);
	free(src->slots);
	free(src->slot_of_cpu);
	free(src->heap);
	free(src);
}

int live_source__task_fd(const struct live_source *src, uint32_t cpu)
{
	return live_source__has_ring(src, cpu)
		       ? perf_buffer__buffer_fd(src->task.pb, src->slot_of_cpu[cpu])
		       : -1;
}

int live_source__fd(const struct live_source *src)
{
	return perf_buffer__epoll_fd(src->data.pb);
}

/* A CPU that went offline runs nothing, and has no ring any more: what it had gathered is read here. */
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

/* Sends the batch of a CPU, if it has one and enough time went by. */
static void flush(struct live_source *src, struct slot *s)
{
	uint64_t now = mono_ns();
	int err = -EBUSY, tries = FLUSH_TRIES;

	if (now - s->tried_ns < FLUSH_NS)
		return;
	s->tried_ns = now;
	while (err == -EBUSY && tries--)
		err = batches__flush(&src->batches, (uint32_t)s->cpu);
	if (err == -ENXIO)
		err = take_offline(src, s);
	if (!err)
		s->flushed_ns = now;
}

/*
 * Rings → queues. With the backlog at its bound, a ring whose queue still holds
 * records waits; all others are read. *horizon_ns: what was stamped before is
 * there.
 */
static int fill_data(struct live_source *src, bool all, uint64_t *horizon_ns)
{
	bool full = !all && !src->stuck && src->pool.full_cnt >= src->full_max;
	size_t i;
	int err;

	for (i = 0; i < src->cpu_cnt; i++) {
		struct slot *s = &src->slots[i];

		flush(src, s);
		if (src->err)
			return src->err;
		if (full && !queue__is_empty(&src->data.queues[i])) {
			src->has_more = true;
		} else {
			err = perf_buffer__consume_buffer(src->data.pb, i);
			if (err)
				return src->err ? src->err : err;
			s->complete_ns = s->flushed_ns;
		}
		if (s->complete_ns - SETTLE_NS < *horizon_ns)
			*horizon_ns = s->complete_ns - SETTLE_NS;
	}
	return 0;
}

/* Process events are few, and always read. */
static int fill_task(struct live_source *src)
{
	size_t i;
	int err;

	for (i = 0; i < src->cpu_cnt; i++) {
		err = perf_buffer__consume_buffer(src->task.pb, i);
		if (err)
			return src->err ? src->err : err;
	}
	return 0;
}

/* Nothing is being produced any more: what is still in the batches. */
static int fill_rest(struct live_source *src)
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

static void set_payload(const struct live_source *src, const struct queue *q, const void *bytes,
			struct record *rec)
{
	const struct wire_rec *w = bytes;

	if (q >= src->task.queues && q < src->task.queues + src->cpu_cnt) {
		rec->kind = RECORD_TASK;
		rec->hdr = bytes;
	} else if (w->kind == WIRE_LOST) {
		rec->kind = RECORD_LOST;
		rec->lost_cnt = ((const struct wire_lost *)w)->cnt;
	} else {
		rec->kind = w->kind == WIRE_COUNTERS ? RECORD_ROW : RECORD_BPF;
		rec->rec = w;
	}
}

/* Hands on what the queues hold up to the horizon, at most BATCH records unless `all`. */
static int hand_on(struct live_source *src, uint64_t horizon_ns, bool all, record_fn fn, void *ctx)
{
	size_t cnt, left = all ? SIZE_MAX : BATCH;
	int err = 0;

	cnt = gather(src, &src->task, 0);
	cnt = gather(src, &src->data, cnt);
	merge__heapify(src->heap, cnt);
	while (cnt && !err) {
		struct queue *q = src->heap[0];
		const struct queue_ref *ref = queue__peek(q);
		struct record rec = { .time_ns = ref->time_ns, .cpu = q->cpu };

		if (rec.time_ns > horizon_ns)
			break;
		if (!left--) {
			src->has_more = true;
			break;
		}
		if (rec.time_ns < src->last_time_ns)
			src->late++;
		else
			src->last_time_ns = rec.time_ns;
		set_payload(src, q, ref->rec, &rec);
		err = fn(ctx, &rec);
		queue__pop(q);
		cnt = merge__advance(src->heap, cnt);
	}
	return err;
}

int live_source__drain(struct live_source *src, bool all, record_fn fn, void *ctx)
{
	uint64_t horizon_ns = mono_ns() - SETTLE_NS, before_ns = src->last_time_ns;
	int err;

	src->has_more = false;
	/* Process events first: the one that names a record's task is never read after it. */
	err = fill_task(src);
	if (!err)
		err = fill_data(src, all, &horizon_ns);
	if (!err && all)
		err = fill_rest(src);
	if (!err)
		err = hand_on(src, all ? UINT64_MAX : horizon_ns, all, fn, ctx);
	src->stuck = src->has_more && src->last_time_ns == before_ns;
	return err;
}

int live_source__add(struct live_source *src, uint32_t cpu, const struct wire_rec *rec)
{
	if (!live_source__has_ring(src, cpu))
		return 0;
	return queue__push(&src->data.queues[src->slot_of_cpu[cpu]], rec->time_ns, rec, rec->sz);
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

size_t live_source__default_ring_sz(size_t cpu_cnt)
{
	size_t sz = 16u << 20;

	while (sz > (256u << 10) && sz * cpu_cnt > (128u << 20))
		sz /= 2;
	return sz;
}

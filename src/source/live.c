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
 * A record is stamped, then put into its ring; an interrupt may come between.
 * What was stamped this long before the rings were read is in them. Later
 * ones are counted (live_source__late) and handed on all the same.
 */
#define SETTLE_NS 10000000ull

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

/* A PERF_RECORD_LOST that waits for its time; size 0: none. */
struct pending_lost {
	char bytes[64] __attribute__((aligned(8)));
};

struct live_source {
	struct ring_set data, task;
	int task_map_fd;
	size_t cpu_cnt, ring_sz;
	int *cpus;
	size_t *slot_of_cpu; /* CPU → position in cpus */
	size_t slot_cnt;
	uint64_t *delivered; /* by slot */
	struct pending_lost *lost; /* by slot */
	uint64_t late, last_time_ns;
	struct queue **heap;
	struct queue_pool pool; /* of all queues */
	size_t full_max; /* chunks of backlog */
	bool has_more;
	int err; /* of a push */
};

/* With sample_id_all, a process record ends with its time. */
static uint64_t task_record_time(const struct perf_event_header *hdr)
{
	uint64_t t;

	memcpy(&t, (const char *)hdr + hdr->size - sizeof(t), sizeof(t));
	return t;
}

/*
 * A PERF_RECORD_LOST of a data ring has no time. The kernel writes it right
 * before the next record that fits, so it gets that one's.
 */
static int push_lost(struct live_source *src, size_t slot, uint64_t time_ns)
{
	struct perf_event_header *lost = (void *)src->lost[slot].bytes;
	int err = 0;

	if (lost->size)
		err = queue__push(&src->data.queues[slot], time_ns, lost, lost->size);
	lost->size = 0;
	return err;
}

static int push_data(struct live_source *src, size_t slot, const struct perf_event_header *hdr)
{
	const struct ring_sample *rs = (const void *)hdr;
	int err;

	if (hdr->type == PERF_RECORD_LOST && hdr->size <= sizeof(src->lost[slot].bytes)) {
		/* Two in a row cannot be: each is written together with a record. */
		memcpy(src->lost[slot].bytes, hdr, hdr->size);
		return 0;
	}
	if (hdr->type != PERF_RECORD_SAMPLE || !ring_sample__holds(hdr, sizeof(rs->raw)))
		return 0;
	src->delivered[slot]++;
	err = push_lost(src, slot, rs->raw.time_ns);
	return err ? err : queue__push(&src->data.queues[slot], rs->raw.time_ns, hdr, hdr->size);
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
	src->delivered = calloc(cfg->cpu_cnt, sizeof(*src->delivered));
	src->lost = calloc(cfg->cpu_cnt, sizeof(*src->lost));
	src->heap = calloc(2 * cfg->cpu_cnt, sizeof(*src->heap));
	if (!src->cpus || !src->delivered || !src->lost || !src->heap)
		return -ENOMEM;
	for (i = 0; i < cfg->cpu_cnt; i++) {
		src->cpus[i] = cfg->cpus[i];
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
	free(src->delivered);
	free(src->lost);
	free(src->slot_of_cpu);
	free(src->heap);
	free(src);
}

int live_source__fd(const struct live_source *src)
{
	return perf_buffer__epoll_fd(src->data.pb);
}

/*
 * Rings → queues. With the backlog at its bound, a ring whose queue still holds
 * records waits, and *horizon_ns is lowered to what is known of it; all others
 * are read, so that the merge always has something to go on with. Process
 * events are few, and always read.
 */
static int fill_queues(struct live_source *src, struct ring_set *set, bool all,
		       uint64_t *horizon_ns)
{
	bool full = !all && set == &src->data && src->pool.full_cnt >= src->full_max;
	size_t i;
	int err;

	for (i = 0; i < src->cpu_cnt; i++) {
		struct queue *q = &set->queues[i];

		if (full && !queue__is_empty(q)) {
			if (q->last_time_ns < *horizon_ns)
				*horizon_ns = q->last_time_ns;
			src->has_more = true;
			continue;
		}
		err = perf_buffer__consume_buffer(set->pb, i);
		if (err)
			return src->err ? src->err : err;
	}
	return 0;
}

static size_t gather(struct live_source *src, struct ring_set *set, size_t cnt)
{
	size_t i;

	for (i = 0; i < src->cpu_cnt; i++)
		if (!queue__is_empty(&set->queues[i]))
			src->heap[cnt++] = &set->queues[i];
	return cnt;
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
		struct record rec = {
			.time_ns = ref->time_ns,
			.cpu = q->cpu,
			.is_task = q >= src->task.queues && q < src->task.queues + src->cpu_cnt,
			.hdr = ref->rec,
		};

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
		err = fn(ctx, &rec);
		queue__pop(q);
		cnt = merge__advance(src->heap, cnt);
	}
	return err;
}

int live_source__drain(struct live_source *src, bool all, record_fn fn, void *ctx)
{
	uint64_t horizon_ns = all ? UINT64_MAX : mono_ns() - SETTLE_NS;
	int err;

	src->has_more = false;
	/* Process events first: the one that names a record's task is never read after it. */
	err = fill_queues(src, &src->task, all, &horizon_ns);
	if (!err)
		err = fill_queues(src, &src->data, all, &horizon_ns);
	if (!err)
		err = hand_on(src, horizon_ns, all, fn, ctx);
	return err;
}

bool live_source__has_more(const struct live_source *src)
{
	return src->has_more;
}

uint64_t live_source__delivered(const struct live_source *src, uint32_t cpu)
{
	size_t i;

	for (i = 0; i < src->cpu_cnt; i++)
		if ((uint32_t)src->cpus[i] == cpu)
			return src->delivered[i];
	return 0;
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

size_t live_source__mapped_sz(const struct live_source *src)
{
	/* Each ring has a control page in front. */
	return src->cpu_cnt * (src->ring_sz + TASK_RING_SZ + 2 * (size_t)sysconf(_SC_PAGESIZE));
}

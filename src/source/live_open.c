// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Opens the rings and queues of the live source. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "source/flight.h"
#include "source/live_priv.h"
#include "source/ring_sample.h"
#include "util/log.h"

/*
 * Bursts that the sink cannot keep up with wait in memory, since taking a record off its ring is
 * several times faster than printing it. The backlog is bounded: beyond this sum over all queues,
 * or a sixteenth of the machine's memory, records stay in the rings, whose overflow the kernel
 * counts.
 */
#define QUEUED_MAX (256u << 20)

/* With mappings there are several times as many process records. */
#define TASK_RING_SZ (128u << 10)
#define TASK_RING_MMAP_SZ (512u << 10)

#define RING_SZ_MIN (64u << 10)

static int make_queues(struct live_source *src, struct ring_set *set)
{
	size_t i;

	set->queues = calloc(src->cpu_cnt, sizeof(*set->queues));
	if (!set->queues)
		return -ENOMEM;
	for (i = 0; i < src->cpu_cnt; i++) {
		set->queues[i].cpu = (uint32_t)src->cpus[i];
		set->queues[i].pool = &src->pool;
	}
	return 0;
}

/* Opens one ring per CPU on the map. -errno. */
static int open_rings(struct live_source *src, struct ring_set *set, int map_fd, size_t sz,
		      struct perf_event_attr *attr, perf_buffer_event_fn fn)
{
	LIBBPF_OPTS(perf_buffer_raw_opts, opts, .cpu_cnt = (int)src->cpu_cnt, .cpus = src->cpus,
		    .map_keys = src->cpus);
	int err;

	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	/*
	 * Wake the reader for a quarter of a ring, not for each record, which would cost 10 × the
	 * record itself.
	 */
	attr->watermark = 1;
	attr->wakeup_watermark = (uint32_t)(sz / 4);
	err = make_queues(src, set);
	if (err)
		return err;
	set->pb = perf_buffer__new_raw(map_fd, sz / (size_t)sysconf(_SC_PAGESIZE), attr, fn, src,
				       &opts);
	return set->pb ? 0 : -errno;
}

static void free_rings(struct live_source *src, struct ring_set *set)
{
	size_t i;

	perf_buffer__free(set->pb);
	for (i = 0; set->queues && i < src->cpu_cnt; i++)
		queue__free(&set->queues[i]);
	free(set->queues);
	*set = (struct ring_set){ 0 };
}

static int open_flight(struct live_source *src, const struct live_config *cfg)
{
	int err = make_queues(src, &src->data);

	if (err)
		return err;
	src->flight = flight__new(cfg->rings_fd, src->cpus, src->cpu_cnt, src->ring_sz);
	return src->flight ? 0 : -errno;
}

static int open_data(struct live_source *src, const struct live_config *cfg)
{
	struct perf_event_attr attr = ring_sample__attr();

	return open_rings(src, &src->data, cfg->rings_fd, src->ring_sz, &attr, live__on_data);
}

/*
 * The kernel does not report how much a user may lock without CAP_IPC_LOCK: usually 516 KiB per CPU
 * plus RLIMIT_MEMLOCK. If the user did not choose the size, smaller ones are tried.
 */
static int open_fitting(struct live_source *src, const struct live_config *cfg)
{
	size_t wanted = src->ring_sz;
	int err;

	for (;;) {
		err = cfg->overwrite ? open_flight(src, cfg) : open_data(src, cfg);
		if (err != -EPERM || cfg->ring_sz || src->ring_sz <= RING_SZ_MIN)
			break;
		free_rings(src, &src->data);
		src->ring_sz /= 2;
	}
	if (!err && src->ring_sz < wanted)
		log_note(
			"rings are of %zu KiB per CPU, not %zu: you may lock no more memory; raise "
			"`ulimit -l` or kernel.perf_event_mlock_kb, or give CAP_IPC_LOCK",
			src->ring_sz >> 10, wanted >> 10);
	return err;
}

/*
 * Process events need no BPF: a dummy event requests them from the kernel. On separate rings they
 * are not lost when events flood the data rings.
 */
static int open_task(struct live_source *src, const struct live_config *cfg)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
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
	return open_rings(src, &src->task, src->task_map_fd,
			  cfg->want_mmap ? TASK_RING_MMAP_SZ : TASK_RING_SZ, &attr, live__on_task);
}

/* Definitions of stacks also wake the reader: if one is lost, records lose their stack. */
static int open_defs(struct live_source *src, int map_fd)
{
	struct perf_event_attr attr = ring_sample__attr();
	struct epoll_event ev = { .events = EPOLLIN };
	size_t sz = live_source__default_ring_sz(src->cpu_cnt) / 4;
	int err = open_rings(src, &src->defs, map_fd, sz, &attr, live__on_data);

	if (err)
		return err;
	src->wake_fd = epoll_create1(EPOLL_CLOEXEC);
	if (src->wake_fd < 0 ||
	    epoll_ctl(src->wake_fd, EPOLL_CTL_ADD, perf_buffer__epoll_fd(src->defs.pb), &ev) ||
	    epoll_ctl(src->wake_fd, EPOLL_CTL_ADD, perf_buffer__epoll_fd(src->task.pb), &ev))
		return -errno;
	return 0;
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
		log_error("cannot open rings of %zu KiB on %zu CPUs: %s; -vv shows libbpf's "
			  "messages",
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
	src->base.ops = &live__ops;
	src->task_map_fd = src->wake_fd = -1;
	src->batches = cfg->batches;
	src->define = cfg->define;
	src->define_ctx = cfg->define_ctx;
	src->task_read = cfg->task_read;
	src->data_read = cfg->data_read;
	src->read_ctx = cfg->read_ctx;
	src->full_max = full_chunks_max();
	src->ring_sz = cfg->ring_sz ? cfg->ring_sz : live_source__default_ring_sz(cfg->cpu_cnt);
	err = copy_cpus(src, cfg);
	if (!err)
		err = open_task(src, cfg);
	if (!err)
		err = open_fitting(src, cfg);
	if (!err && cfg->overwrite && cfg->defs_fd > 0)
		err = open_defs(src, cfg->defs_fd);
	if (!err)
		return src;
	explain_open_failure(src, err);
	live_source__free(src);
	errno = -err;
	return NULL;
}

void live_source__free(struct live_source *src)
{
	if (!src)
		return;
	flight__free(src->flight);
	free_rings(src, &src->data);
	free_rings(src, &src->task);
	free_rings(src, &src->defs);
	queue_pool__free(&src->pool);
	if (src->task_map_fd >= 0)
		close(src->task_map_fd);
	if (src->wake_fd >= 0)
		close(src->wake_fd);
	free(src->cpus);
	free(src->slots);
	free(src->slot_of_cpu);
	free(src->heap);
	free(src);
}

size_t live_source__default_ring_sz(size_t cpu_cnt)
{
	size_t sz = 16u << 20;

	while (sz > (256u << 10) && sz * cpu_cnt > (128u << 20))
		sz /= 2;
	return sz;
}

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Shared by the files of the live source: live_open.c, live.c, live_dump.c. */
#ifndef BPFPERF_SOURCE_LIVE_PRIV_H
#define BPFPERF_SOURCE_LIVE_PRIV_H

#include <bpf/libbpf.h>
#include <linux/types.h>

#include "bpf/wire.h"
#include "source/live.h"
#include "source/queue.h"

struct flight;

/* One kind of ring on all CPUs. */
struct ring_set {
	struct perf_buffer *pb;
	struct queue *queues; /* by position in cfg.cpus, like the buffers of pb */
};

/* A CPU of the source. */
struct slot {
	int cpu;
	uint64_t delivered;
	uint32_t lost; /* loss counter in the last output read */
	uint64_t tried_ns; /* last try to send the batch */
	uint64_t visited_ns; /* while is_early: last time at which no program was seen running */
	uint64_t settled_ns; /* records stamped before this are in the ring */
	uint64_t complete_ns; /* records stamped before this are in the queue */
	size_t rest_sz; /* bytes taken from the batch at the end */
};

struct live_source {
	struct source base;
	struct ring_set data, task; /* data.pb is NULL for a flight recorder */
	struct ring_set defs; /* for a flight recorder's stacks; pb is NULL if unused */
	int wake_fd; /* used if several sets wake the reader; else -1 */
	struct flight *flight; /* the data rings of a flight recorder */
	struct batches batches;
	/* Lost records that were handed on as RECORD_LOST, by CPU and cause. */
	uint64_t lost_handed_on[WIRE_MAX_CPUS][LOST_CPU_CAUSES];
	int (*define)(void *ctx, const struct wire_rec *rec);
	void *define_ctx;
	void (*task_read)(void *ctx, const struct record *rec);
	void (*data_read)(void *ctx, uint32_t tgid);
	void *read_ctx;
	int task_map_fd;
	size_t cpu_cnt, ring_sz;
	int *cpus;
	struct slot *slots; /* by position in cpus */
	size_t *slot_of_cpu; /* CPU → position in cpus */
	size_t slot_cnt;
	uint64_t late, last_time_ns;
	/* process records after this wait for unread ones; 0: none */
	uint64_t tasks_until_ns;
	struct queue **heap;
	struct queue_pool pool; /* shared by all queues */
	size_t full_max; /* chunks of backlog */
	bool has_more;
	bool is_early; /* see live_source__set_early() */
	bool stuck; /* the last drain could not hand on any record of a full backlog */
	int err; /* first error of a push */
};

extern const struct source_ops live__ops;

/* Callbacks for libbpf: a record of a data ring, a record of a process ring. */
enum bpf_perf_event_ret live__on_data(void *ctx, int cpu, struct perf_event_header *hdr);
enum bpf_perf_event_ret live__on_task(void *ctx, int cpu, struct perf_event_header *hdr);

/* Queues the contents of a data ring's record. 0 or -ENOMEM. */
int live__push_data(struct live_source *src, size_t slot, const struct perf_event_header *hdr);
/*
 * Sends the batch of a CPU, in at most `tries` attempts while a program is running there. 0, or
 * -errno.
 */
int live__flush(struct live_source *src, struct slot *s, int tries);
/* Process rings → queues: their records are few and are always read. 0 or -errno. */
int live__fill_task(struct live_source *src);
/* Rings of definitions → define(). 0 or -errno. */
int live__fill_defs(struct live_source *src);
/* Batches → queues, after production has ended. 0 or -ENOMEM. */
int live__fill_rest(struct live_source *src);
/*
 * Hands on at most max queued records of the process rings, and of the data rings if with_data, up
 * to the horizon. 0, or the value that fn returned.
 */
int live__hand_on(struct live_source *src, bool with_data, uint64_t horizon_ns, size_t max,
		  record_fn fn, void *ctx);

/* The flight recorder's drain: see live.h. */
int live__drain_flight(struct live_source *src, bool all, record_fn fn, void *ctx);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Records as they happen: the rings that BPF programs write to, and a second small ring per CPU on
 * which the kernel reports process events (fork, exec, rename, exit, and mmap on request), merged
 * by time.
 */
#ifndef BPFPERF_SOURCE_LIVE_H
#define BPFPERF_SOURCE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/lost.h"
#include "source/batches.h"
#include "source/source.h"

struct live_source;
struct wire_rec;

struct live_config {
	int rings_fd; /* BPF perf-event array the programs write to */
	struct batches batches; /* records gathered before they are sent; must outlive the source */
	const int *cpus; /* rings are opened on these */
	size_t cpu_cnt;
	/* bytes per CPU, a power of two of pages; 0: live_source__default_ring_sz() */
	size_t ring_sz;
	/*
	 * Called for each definition (WIRE_STACK_DEF) when it is taken off a ring, which is before
	 * any record that refers to it is handed on. 0 or -errno. NULL: no definitions are
	 * expected.
	 */
	int (*define)(void *ctx, const struct wire_rec *rec);
	void *define_ctx;
	/*
	 * Called for each process record (RECORD_PROC) when it is taken off its ring: in time order
	 * for each CPU, and long before it is handed on if that waits for a dump. NULL is accepted.
	 */
	void (*task_read)(void *ctx, const struct record *rec);
	/* Called likewise for each record of a BPF program, with its process. NULL is accepted. */
	void (*data_read)(void *ctx, uint32_t tgid);
	void *read_ctx;
	int defs_fd; /* a flight recorder's definitions: the array of their rings; -1 or 0: none */
	bool want_mmap; /* also report mappings and kernel code */
	bool overwrite; /* a flight recorder: keep the newest records until live_source__dump() */
};

/* Opens and maps all rings. NULL after one sentence. */
struct live_source *live_source__new(const struct live_config *cfg);
void live_source__free(struct live_source *src);
/* The interface common to all sources (source/source.h). */
struct source *live_source__base(struct live_source *src);

/*
 * The perf event whose ring reports process events on a CPU: other events may share the ring. -1:
 * none.
 */
int live_source__task_fd(const struct live_source *src, uint32_t cpu);
/* Readable when a ring is a quarter full. In between, drain every LIVE_DRAIN_MS. */
int live_source__fd(const struct live_source *src);
#define LIVE_DRAIN_MS 50

/*
 * While on, each drain visits all CPUs, and hands on what is older than the visit before: records
 * are handed on some milliseconds after they were made, where drains follow each other that fast.
 * For the first records of a run, as long as the user sees nothing.
 */
void live_source__set_early(struct live_source *src, bool on);

/*
 * Takes records off the rings and hands on, in time order, those that no record still to come can
 * precede. It stops after one batch, so that the caller can handle other events; with `all` (no
 * more records are produced) it hands on every record. 0, or the value that fn returned.
 */
int live_source__drain(struct live_source *src, bool all, record_fn fn, void *ctx);
/*
 * Inserts the caller's record (kind WIRE_COUNTERS) into the stream at its time. A flight recorder
 * hands none on before a dump and keeps the newest LIVE_ROWS_MAX of a CPU. 0 or -ENOMEM.
 */
#define LIVE_ROWS_MAX 4096
int live_source__add(struct live_source *src, uint32_t cpu, const struct wire_rec *rec);
/*
 * For a flight recorder drain hands on process records only, and with `all` the records of a dump.
 * This function hands on, in time order, all records in the rings that no earlier dump handed on;
 * recording continues. Rings are read one after the other: the first records of the next dump may
 * be some milliseconds older than the last records of this one on another CPU. 0, or the value that
 * fn returned.
 */
int live_source__dump(struct live_source *src, record_fn fn, void *ctx);
/* The last drain ended with its batch: drain again without waiting. */
bool live_source__has_more(const struct live_source *src);

/* Records of BPF programs taken from one CPU so far. */
uint64_t live_source__delivered(const struct live_source *src, uint32_t cpu);
/* False if the CPU has no ring because it came online after the start. */
bool live_source__has_ring(const struct live_source *src, uint32_t cpu);
/* Fills lost[] with the lost records of a CPU so far, by cause. */
void live_source__lost(const struct live_source *src, uint32_t cpu, uint64_t lost[LOST_CPU_CAUSES]);
/*
 * Hands on at most max lost records of a CPU that were not handed on yet: a RECORD_LOST for each
 * cause. 0, or the value that fn returned.
 */
int live_source__hand_on_lost(struct live_source *src, uint32_t cpu, uint64_t time_ns, uint64_t max,
			      record_fn fn, void *ctx);
/* Number of records that arrived too late and were handed on out of order. */
uint64_t live_source__late(const struct live_source *src);

/* Bytes per CPU: 128 MiB in total, between 256 KiB and 16 MiB each. */
size_t live_source__default_ring_sz(size_t cpu_cnt);

#endif

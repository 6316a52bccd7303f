/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Records as they happen: the rings that BPF programs write to, and a small
 * second ring per CPU on which the kernel itself reports processes (fork,
 * exec, rename, exit, and mmap where asked for), merged by time.
 */
#ifndef BPFPERF_SOURCE_LIVE_H
#define BPFPERF_SOURCE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/batches.h"
#include "source/source.h"

struct live_source;
struct wire_rec;

struct live_config {
	int rings_fd; /* BPF perf-event array the programs write to */
	struct batches batches; /* what they gather before; outlives the source */
	const int *cpus; /* rings are opened on these */
	size_t cpu_cnt;
	/* bytes per CPU, a power of two of pages; 0: live_source__default_ring_sz() */
	size_t ring_sz;
	/*
	 * Is called for each definition (WIRE_STACK_DEF) when it is taken off a ring, which is
	 * before any record that needs it is handed on. 0 or -errno. NULL: none come.
	 */
	int (*define)(void *ctx, const struct wire_rec *rec);
	void *define_ctx;
	/*
	 * Is called for each process record (RECORD_PROC) when it is taken off its ring: of one CPU
	 * in order of time, and long before it is handed on where that waits for a dump. NULL is
	 * accepted.
	 */
	void (*task_read)(void *ctx, const struct record *rec);
	void *task_ctx;
	int defs_fd; /* a flight recorder's definitions: the array of their rings; -1 or 0: none */
	bool want_mmap; /* mappings and code of the kernel, too */
	bool overwrite; /* a flight recorder: the newest records stay, until live_source__dump() */
};

/* Opens and maps all rings. NULL after one sentence. */
struct live_source *live_source__new(const struct live_config *cfg);
void live_source__free(struct live_source *src);
/* The interface that it shares with other sources (source/source.h). */
struct source *live_source__base(struct live_source *src);

/* The perf event whose ring tells of processes on a CPU: others may output there too. -1: none. */
int live_source__task_fd(const struct live_source *src, uint32_t cpu);
/* Readable when a ring is a quarter full. Between, drain every LIVE_DRAIN_MS. */
int live_source__fd(const struct live_source *src);
#define LIVE_DRAIN_MS 50

/*
 * Takes records off the rings and hands on, in time order, those that can no
 * longer be preceded by one still on its way; a batch of them, so that the
 * caller sees what else happens; all of them where `all` is set (nothing is
 * being produced any more). 0, or what fn returned.
 */
int live_source__drain(struct live_source *src, bool all, record_fn fn, void *ctx);
/*
 * Puts a record of the caller's (kind WIRE_COUNTERS) into the stream at its time. Of a flight
 * recorder, which hands none on until a dump, the newest LIVE_ROWS_MAX of a CPU stay. 0 or -ENOMEM.
 */
#define LIVE_ROWS_MAX 4096
int live_source__add(struct live_source *src, uint32_t cpu, const struct wire_rec *rec);
/*
 * With a flight recorder, drain hands on process records at the most, and with `all` what a dump
 * would. This hands on, in time order, all that the rings hold and no dump handed on yet; recording
 * goes on. Rings are taken one after the other: what the next dump begins with may be older, by
 * some milliseconds, than what this one ends with on another CPU. 0, or what fn returned.
 */
int live_source__dump(struct live_source *src, record_fn fn, void *ctx);
/* The last drain ended with its batch: drain again without waiting. */
bool live_source__has_more(const struct live_source *src);

/* Records of BPF programs taken from one CPU so far. */
uint64_t live_source__delivered(const struct live_source *src, uint32_t cpu);
/* Has the CPU a ring? One that came online after the start has none. */
bool live_source__has_ring(const struct live_source *src, uint32_t cpu);
/* Records that arrived too late for their place and were handed on out of order. */
uint64_t live_source__late(const struct live_source *src);

/* Bytes per CPU: 128 MiB in all, between 256 KiB and 16 MiB each. */
size_t live_source__default_ring_sz(size_t cpu_cnt);

#endif

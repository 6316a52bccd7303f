/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The time between activate and deactivate, the same for every live command:
 * drains the rings and waits for whatever ends it (CMD, a signal, the
 * duration, the watched processes' end, a closed output).
 */
#ifndef BPFPERF_RUN_LOOP_H
#define BPFPERF_RUN_LOOP_H

#include <stdint.h>

#include "source/live.h"

struct out;
struct sink;
struct targets;
struct workload;

/* Somebody who looks on, and may press keys. */
struct loop_view {
	int fd; /* wakes the loop */
	int (*fn)(
		void *ctx); /* after each round, at least every 50 ms: < 0: an error, > 0: enough */
	void *ctx;
};

struct loop {
	struct live_source *src;
	const struct targets *targets;
	struct workload *workload; /* prepared; started by loop__run(). pid 0: none */
	struct sink *sink; /* told after each round that all up to now was handed on; NULL: none */
	struct out *out; /* flushed after each round; NULL: none yet */
	uint64_t duration_ns; /* 0: no limit */
	uint64_t drain_ms; /* the rings are looked at as often; 0: every LIVE_DRAIN_MS */
	uint64_t every_ns; /* how often `every` is called; 0: never */
	int (*every)(void *ctx); /* 0 or an error */
	record_fn fn; /* < 0: an error, > 0: enough */
	void *ctx;
	int (*tick)(void *ctx); /* after each look at the rings; as fn. NULL: none */
	struct loop_view *view; /* NULL: none */
};

/* SIGINT and SIGTERM are from here on seen by loop__run() alone. Call before anything that takes long. */
void loop__block_signals(void);
/* From here on they end bpfperf at once: for the time of the last output. */
void loop__unblock_signals(void);

/* 0 when it was ended; fn's or the output's error; CMD could not run: -errno (said). */
int loop__run(struct loop *l);

#endif

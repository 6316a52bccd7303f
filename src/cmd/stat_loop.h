/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The time in which bpfperf stat counts: waits for what ends it, and wakes for intervals. */
#ifndef BPFPERF_CMD_STAT_LOOP_H
#define BPFPERF_CMD_STAT_LOOP_H

#include <stdint.h>

struct targets;
struct workload;

struct stat_loop {
	const struct targets *targets;
	struct workload *workload; /* pid 0: none */
	uint64_t interval_ms, interval_cnt; /* 0: none; 0: no limit */
	uint64_t delay_ms; /* until fn_begin; 0: it is not called */
	uint64_t duration_ns; /* after delay_ms; 0: no limit */
	/* 0, or -errno, which ends it. */
	int (*fn_interval)(void *ctx);
	int (*fn_begin)(void *ctx);
	void (*fn_look)(void *ctx); /* at those who may end meanwhile; NULL: it is not wanted */
	void *ctx;
};

enum stat_ended {
	STAT_ENDED, /* CMD, the watched tasks, or the time */
	STAT_STOPPED, /* by SIGINT or SIGTERM */
	STAT_ENOUGH, /* after the last of interval_cnt intervals */
};

/* Call with signals blocked (loop__block_signals()). An enum stat_ended, or -errno. */
int stat_loop__run(struct stat_loop *l);

#endif

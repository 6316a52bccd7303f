/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * --budget: when a second has too many records, the kernel counts the records of each event for
 * another second; if that second has too many, too, the event with the most is stopped, with a
 * warning, and all others go on. Records that the event would have sent are counted.
 */
#ifndef BPFPERF_RUN_BUDGET_H
#define BPFPERF_RUN_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct losses;
struct cpus;
struct event;
struct event_list;
struct trace_session;

/*
 * Records a second, over a second: more than a single thread makes, or a disk takes (600 MB of
 * text).
 */
#define BUDGET_DEFAULT 5000000

struct budget {
	uint64_t rate; /* records a second; 0: no limit */
	const struct event_list *events;
	struct trace_session *session;
	const struct cpus *cpus;
	uint64_t *made; /* by tracepoint id: records at the last check */
	bool *stopped; /* by tracepoint id */
	size_t id_cnt;
	uint64_t since_ns, produced; /* when this second began, and all records until then */
	bool counts; /* the kernel counts by event in this second: the one before had too many */
	size_t stopped_cnt;
};

/* 0 or -ENOMEM. All it is given outlives it. */
int budget__init(struct budget *b, uint64_t rate, const struct event_list *events,
		 struct trace_session *session);
void budget__free(struct budget *b);

/* After each look at the rings: stops an event where the last two seconds had too many each. */
void budget__check(struct budget *b, uint64_t now_ns);
/*
 * After the end: hands the records that were not sent to the sink as losses, and logs them.
 * Returns their number.
 */
uint64_t budget__finish(struct budget *b, struct losses *a);

/* "5M", "200K", "0". -EINVAL after one sentence. */
int budget__parse(const char *arg, uint64_t *rate);

#endif

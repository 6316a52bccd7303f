/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * --budget: where more records are made than anyone wants, what each event
 * makes is counted in the kernel for a second more; where that had too many,
 * too, the event that made the most is stopped, said by name, and all others
 * go on. What it would have sent is counted.
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

/* Records a second, over a second: what no single thread makes, and no disk takes (600 MB of text). */
#define BUDGET_DEFAULT 5000000

struct budget {
	uint64_t rate; /* records a second; 0: no limit */
	const struct event_list *events;
	struct trace_session *session;
	const struct cpus *cpus;
	uint64_t *made; /* by tracepoint id: records, when it was looked at last */
	bool *stopped; /* by tracepoint id */
	size_t id_cnt;
	uint64_t since_ns, produced; /* when this second began, and what had been made in all */
	bool counts; /* in this second what each event makes is counted: the one before had too many */
	size_t stopped_cnt;
};

/* 0 or -ENOMEM. All it is given outlives it. */
int budget__init(struct budget *b, uint64_t rate, const struct event_list *events,
		 struct trace_session *session);
void budget__free(struct budget *b);

/* After each look at the rings: stops an event where the last two seconds had too many each. */
void budget__check(struct budget *b, uint64_t now_ns);
/* After the end: shows what was not sent, and says it. How many records that is. */
uint64_t budget__finish(struct budget *b, struct losses *a);

/* "5M", "200K", "0". -EINVAL after one sentence. */
int budget__parse(const char *arg, uint64_t *rate);

#endif

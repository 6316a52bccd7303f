/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * --budget: when a second has too many records, the kernel counts the records of each event for
 * another second; if that second has too many, too, the event with the most is stopped, with a
 * warning, and all others go on. Records that the event would have sent are counted.
 *
 * A probe takes its time from the program that hits it, whether a record is sent or not: if hits
 * take more than half a CPU in such a second, a warning says so.
 */
#ifndef BPFPERF_RUN_BUDGET_H
#define BPFPERF_RUN_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hit_report;
struct losses;
struct cpus;
struct event;
struct event_list;
struct trace_session;

/*
 * Records per second, over a second: more than a single thread makes, or a disk takes (600 MB of
 * text).
 */
#define BUDGET_DEFAULT 5000000

struct budget {
	uint64_t rate; /* records a second; 0: no limit */
	const struct event_list *events;
	struct trace_session *session;
	const struct cpus *cpus;
	uint64_t *made; /* by tracepoint id: number of records at the last check */
	bool *stopped; /* by tracepoint id */
	size_t id_cnt;
	/* begin of this second, and number of all records until then */
	uint64_t since_ns, produced;
	/* the kernel counts by event in this second, since the second before exceeded the budget */
	bool counts;
	size_t stopped_cnt;
	/* The costs of hits of probes, set by the caller; NULL: unknown. */
	const struct hit_report *hits;
	bool has_warned; /* of what they cost */
};

/* Initializes b; all arguments outlive it. 0 or -ENOMEM. */
int budget__init(struct budget *b, uint64_t rate, const struct event_list *events,
		 struct trace_session *session);
void budget__free(struct budget *b);

/*
 * Called after each drain of the rings: stops an event if both of the last two seconds exceeded the
 * budget.
 */
void budget__check(struct budget *b, uint64_t now_ns);
/*
 * Called after the end: passes the records that were not sent to the sink as losses, and logs them.
 * Returns their number.
 */
uint64_t budget__finish(struct budget *b, struct losses *a);

/* Parses "5M", "200K", "0". 0, or -EINVAL, logged. */
int budget__parse(void *rate, const char *arg);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * --budget of strace: when two seconds one after the other have too many records, the system call
 * with the most of them in the second one is stopped, with a warning, and all others go on. The
 * programs count the records that they would have sent.
 */
#ifndef BPFPERF_RUN_STRACE_BUDGET_H
#define BPFPERF_RUN_STRACE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call_table;
struct losses;
struct strace_session;

struct strace_budget {
	uint64_t rate; /* records a second; 0: no limit */
	const struct call_table *table;
	struct strace_session *session;
	uint64_t *made; /* by index of the table: records at the last count */
	bool *stopped; /* by index of the table */
	size_t stopped_cnt;
	uint64_t since_ns, produced; /* begin of this second, and all records until then */
	bool was_over; /* the second before exceeded the rate */
};

/* Initializes b; table and session outlive it. 0 or -ENOMEM. */
int strace_budget__init(struct strace_budget *b, uint64_t rate, const struct call_table *table,
			struct strace_session *session);
void strace_budget__free(struct strace_budget *b);
/* Called after each drain of the rings: stops a call if both of the last seconds were over. */
void strace_budget__check(struct strace_budget *b, uint64_t now_ns);
/*
 * Called after deactivate: passes the calls that were not sent to the sink, and logs them. Returns
 * their number.
 */
uint64_t strace_budget__finish(struct strace_budget *b, struct losses *losses);

#endif

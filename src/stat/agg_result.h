/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A table of counts that the kernel aggregated: rows of keys, counts, sums and histograms. */
#ifndef BPFPERF_STAT_AGG_RESULT_H
#define BPFPERF_STAT_AGG_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct callchain;
struct event;

#define AGG_KEYS_MAX 8
#define AGG_BUCKETS 66 /* buckets: below 0, 0, and from each power of two up to the next */

struct agg_key {
	const char *text; /* NULL: the key is a number */
	int64_t num;
	bool is_signed;
	/*
	 * With agg_result.is_stack: a chain of places (sym/sym.h), not of addresses. NULL: the
	 * stack is unknown.
	 */
	const struct callchain *stack;
	bool stack_lost; /* there was a stack, but no room for it */
};

struct agg_row {
	const struct event *ev;
	struct agg_key keys[AGG_KEYS_MAX];
	uint64_t cnt;
	int64_t sum;
	bool sum_is_signed;
	uint64_t *buckets; /* AGG_BUCKETS elements; NULL: no histogram. Owned. */
	char *texts; /* owned */
};

struct agg_result {
	const char *key_names[AGG_KEYS_MAX];
	size_t key_cnt;
	bool is_stack[AGG_KEYS_MAX];
	const char *value; /* field of sum and histogram; NULL: counts only */
	bool sum, hist;
	struct agg_row *rows; /* largest first */
	size_t row_cnt;
	uint64_t total; /* number of records in all rows */
	uint64_t not_counted; /* records that found no room for their key */
	uint64_t no_value; /* records that lack the value: it was not in memory */
};

/* Returns the lower bound of a bucket from 1 on: 0, 1, 2, 4, … */
static inline uint64_t agg_bucket__from(unsigned int bucket)
{
	return bucket < 2 ? 0 : 1ULL << (bucket - 2);
}

struct strbuf;
struct sym;
struct sym_result;

/* Calls put for each function of a key's stack, innermost or outermost first. */
void agg_key__functions(const struct agg_key *key, struct sym *sym, bool outermost_first,
			void (*put)(struct strbuf *out, const struct sym_result *res,
				    bool is_first),
			struct strbuf *out);

#endif

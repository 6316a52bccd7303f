/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A table of durations: rows of keys, each with a histogram. */
#ifndef BPFPERF_SPAN_RESULT_H
#define BPFPERF_SPAN_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "span/heat.h"
#include "span/hist.h"
#include "stat/agg_result.h"
#include "util/strbuf.h"

struct span_account;
struct sym;

struct span_row {
	uint64_t id; /* of its keys: that of its cells in a struct span_heat */
	const char *name; /* "runq", "syscalls:read"; in span_result.names */
	const char *pair; /* name of the pair alone */
	double share; /* of the time of all rows of the pair: 0 to 1 */
	struct agg_key keys[AGG_KEYS_MAX]; /* fields of --by */
	char *texts; /* owned: texts of the keys */
	char *own_name; /* owned; NULL: the name is the pair's */
	struct span_hist hist;
};

struct span_result {
	const char *key_names[AGG_KEYS_MAX];
	bool is_stack[AGG_KEYS_MAX];
	size_t key_cnt;
	struct span_row *rows; /* the largest sum of durations first */
	size_t row_cnt;
	/* By pair, for the whole run; NULL for an interval. Owned by the caller. */
	const struct span_account *accounts;
	const char *const *pair_names;
	unsigned int pair_cnt;
	uint64_t time_ns; /* end of the interval; CLOCK_REALTIME */
	bool is_interval; /* else the whole run */
};

void span_result__free(struct span_result *res);
/* Sorts the rows, and computes their shares. */
void span_result__finish(struct span_result *res);

struct span_print {
	struct strbuf *out;
	struct sym *sym; /* names functions of stacks; NULL without stacks */
	bool hist; /* bars of each row */
	const struct span_heat *heat; /* for span_html alone, finished */
};

struct span_format {
	const char *name;
	/* Prints a result; is_first: nothing was printed before it. */
	void (*rows)(const struct span_print *print, const struct span_result *res, bool is_first);
};

extern const struct span_format span_text, span_json, span_csv, span_prometheus, span_html;

/* Puts a duration in four digits, right-aligned: 843ns, 12.35us, 1.058ms, 10.00s. */
void span__put_ns(struct strbuf *out, uint64_t ns, int width);
/* Puts the value of a key that is no stack. */
void span_key__put_number(struct strbuf *out, const struct agg_key *key);

/* The quantiles that tables have. */
#define SPAN_QUANTILES 3
extern const double span_quantiles[SPAN_QUANTILES];
extern const char *const span_quantile_names[SPAN_QUANTILES]; /* "p50" */

#endif

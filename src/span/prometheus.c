// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Durations in Prometheus' text format 0.0.4: one histogram, with a bucket for each power of two in
 * seconds, and the longest duration; and the accounts of pairs as counters.
 */
#include <string.h>

#include <linux/types.h>

#include "bpf/span_wire.h"
#include "span/result.h"

#define NAME "bpfperf_latency_seconds"

/* Puts a label's value: \, " and newlines are escaped. */
static void put_value(struct strbuf *out, const char *text)
{
	strbuf__putc(out, '"');
	for (; *text; text++) {
		if (*text == '\\' || *text == '"')
			strbuf__putc(out, '\\');
		if (*text == '\n')
			strbuf__puts(out, "\\n");
		else
			strbuf__putc(out, *text);
	}
	strbuf__putc(out, '"');
}

/* A label's name has letters, digits and underscores alone. */
static void put_name(struct strbuf *out, const char *name)
{
	for (; *name; name++) {
		bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
			     (*name >= '0' && *name <= '9');

		strbuf__putc(out, plain ? *name : '_');
	}
}

static void put_labels(struct strbuf *out, const struct span_result *res,
		       const struct span_row *row)
{
	size_t i;

	strbuf__puts(out, "{pair=");
	put_value(out, row->name);
	for (i = 0; i < res->key_cnt; i++) {
		const struct agg_key *k = &row->keys[i];

		strbuf__puts(out, ",by_");
		put_name(out, res->key_names[i]);
		strbuf__putc(out, '=');
		if (k->text) {
			put_value(out, k->text);
			continue;
		}
		strbuf__putc(out, '"');
		span_key__put_number(out, k);
		strbuf__putc(out, '"');
	}
}

static void put_buckets(struct strbuf *out, const struct span_result *res,
			const struct span_row *row)
{
	const struct span_hist *h = &row->hist;
	uint64_t seen = 0;
	size_t i;

	for (i = 0; i < h->cnt; i++) {
		unsigned int bits =
			64u - (unsigned int)__builtin_clzll(span_bucket__from(h->at[i].bucket) | 1);
		bool is_last = i + 1 == h->cnt;

		seen += h->at[i].cnt;
		/* Its buckets are added up to the power of two that is above them. */
		if (!is_last && span_bucket__from(h->at[i + 1].bucket) >> bits == 0)
			continue;
		strbuf__puts(out, NAME "_bucket");
		put_labels(out, res, row);
		strbuf__printf(out, ",le=\"%.9g\"} %llu\n", (double)(1ull << (bits & 63)) / 1e9,
			       (unsigned long long)seen);
	}
	strbuf__puts(out, NAME "_bucket");
	put_labels(out, res, row);
	strbuf__printf(out, ",le=\"+Inf\"} %llu\n", (unsigned long long)h->total);
}

static void put_row(struct strbuf *out, const struct span_result *res, const struct span_row *row)
{
	put_buckets(out, res, row);
	strbuf__puts(out, NAME "_sum");
	put_labels(out, res, row);
	strbuf__printf(out, "} %.9f\n", (double)row->hist.ns / 1e9);
	strbuf__puts(out, NAME "_count");
	put_labels(out, res, row);
	strbuf__printf(out, "} %llu\n", (unsigned long long)row->hist.total);
}

static void put_accounts(struct strbuf *out, const struct span_result *res)
{
	unsigned int pair, i;

	strbuf__puts(out, "# HELP bpfperf_latency_events_total Starts and ends of pairs.\n"
			  "# TYPE bpfperf_latency_events_total counter\n");
	for (pair = 0; pair < res->pair_cnt; pair++) {
		const struct span_account *a = &res->accounts[pair];
		const struct {
			const char *fate;
			uint64_t cnt;
		} fates[] = {
			{ "matched", a->matched },          { "repeated", a->overwritten },
			{ "no_end", a->waiting + a->gone }, { "no_room", a->refused },
			{ "no_start", a->without_start },
		};

		for (i = 0; i < sizeof(fates) / sizeof(fates[0]); i++) {
			strbuf__puts(out, "bpfperf_latency_events_total{pair=");
			put_value(out, res->pair_names[pair]);
			strbuf__printf(out, ",fate=\"%s\"} %llu\n", fates[i].fate,
				       (unsigned long long)fates[i].cnt);
		}
	}
}

static void prometheus_rows(const struct span_print *print, const struct span_result *res,
			    bool is_first)
{
	size_t i;

	strbuf__puts(print->out, "# HELP " NAME " Time from one event to another.\n"
				 "# TYPE " NAME " histogram\n");
	for (i = 0; i < res->row_cnt; i++)
		put_row(print->out, res, &res->rows[i]);
	strbuf__puts(print->out, "# HELP " NAME "_max Longest time from one event to another.\n"
				 "# TYPE " NAME "_max gauge\n");
	for (i = 0; i < res->row_cnt; i++) {
		strbuf__puts(print->out, NAME "_max");
		put_labels(print->out, res, &res->rows[i]);
		strbuf__printf(print->out, "} %.9f\n", (double)res->rows[i].hist.max_ns / 1e9);
	}
	if (res->accounts)
		put_accounts(print->out, res);
}

const struct span_format span_prometheus = { .name = "prometheus", .rows = prometheus_rows };

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Durations in formats for programs: JSON, one object per line, and CSV. All are nanoseconds. */
#include <string.h>

#include <linux/types.h>

#include "bpf/span_wire.h"
#include "span/result.h"
#include "sym/named.h"

static void put_member(struct strbuf *out, const char *name, uint64_t val)
{
	strbuf__printf(out, ",\"%s\":", name);
	strbuf__put_u64(out, val);
}

/* {"from":ns,"to":ns,"count":n}: from is in the bucket, and to is not. */
static void put_json_buckets(struct strbuf *out, const struct span_hist *h)
{
	size_t i;

	strbuf__puts(out, ",\"hist\":[");
	for (i = 0; i < h->cnt; i++) {
		strbuf__puts(out, i ? ",{\"from\":" : "{\"from\":");
		strbuf__put_u64(out, span_bucket__from(h->at[i].bucket));
		put_member(out, "to", span_bucket__to(h->at[i].bucket));
		put_member(out, "count", h->at[i].cnt);
		strbuf__putc(out, '}');
	}
	strbuf__putc(out, ']');
}

static void put_json_function(struct strbuf *out, const struct sym_result *res, bool is_first)
{
	struct strbuf name = STRBUF_INIT;

	sym_result__put(res, &name);
	strbuf__puts(out, is_first ? "" : ",");
	strbuf__put_json(out, strbuf__cstr(&name), name.len);
	strbuf__free(&name);
}

/* Puts the functions innermost first; null: the stack was lost. */
static void put_json_stack(const struct span_print *print, const struct agg_key *k)
{
	if (k->stack_lost) {
		strbuf__puts(print->out, "null");
		return;
	}
	strbuf__putc(print->out, '[');
	agg_key__functions(k, print->sym, false, put_json_function, print->out);
	strbuf__putc(print->out, ']');
}

static void put_json_keys(const struct span_print *print, const struct span_result *res,
			  const struct span_row *row)
{
	struct strbuf *out = print->out;
	size_t i;

	strbuf__puts(out, ",\"by\":{");
	for (i = 0; i < res->key_cnt; i++) {
		const struct agg_key *k = &row->keys[i];

		strbuf__puts(out, i ? "," : "");
		strbuf__put_json(out, res->key_names[i], strlen(res->key_names[i]));
		strbuf__putc(out, ':');
		if (res->is_stack[i])
			put_json_stack(print, k);
		else if (k->text)
			strbuf__put_json(out, k->text, strlen(k->text));
		else
			span_key__put_number(out, k);
	}
	strbuf__putc(out, '}');
}

static void put_json_row(const struct span_print *print, const struct span_result *res,
			 const struct span_row *row)
{
	const struct span_hist *h = &row->hist;
	struct strbuf *out = print->out;
	size_t i;

	strbuf__puts(out, "{\"pair\":");
	strbuf__put_json(out, row->pair, strlen(row->pair));
	if (row->own_name) {
		strbuf__puts(out, ",\"name\":");
		strbuf__put_json(out, row->own_name, strlen(row->own_name));
	}
	if (res->is_interval)
		put_member(out, "time", res->time_ns);
	put_json_keys(print, res, row);
	put_member(out, "count", h->total);
	put_member(out, "mean", span_hist__mean(h));
	for (i = 0; i < SPAN_QUANTILES; i++)
		put_member(out, span_quantile_names[i], span_hist__quantile(h, span_quantiles[i]));
	put_member(out, "max", h->max_ns);
	put_member(out, "total", h->ns);
	strbuf__printf(out, ",\"share\":%.6f", row->share);
	if (print->hist)
		put_json_buckets(out, h);
	strbuf__puts(out, "}\n");
}

static void put_json_account(struct strbuf *out, const char *pair, const struct span_account *a)
{
	strbuf__puts(out, "{\"pair\":");
	strbuf__put_json(out, pair, strlen(pair));
	strbuf__puts(out, ",\"starts\":");
	strbuf__put_u64(out, a->starts);
	put_member(out, "ends", a->ends);
	put_member(out, "matched", a->matched);
	put_member(out, "repeated", a->overwritten);
	put_member(out, "no_end", a->waiting + a->gone);
	put_member(out, "no_room", a->refused);
	put_member(out, "no_start", a->without_start);
	put_member(out, "no_row", a->uncounted);
	strbuf__puts(out, "}\n");
}

static void json_rows(const struct span_print *print, const struct span_result *res, bool is_first)
{
	unsigned int pair;
	size_t i;

	for (i = 0; i < res->row_cnt; i++)
		put_json_row(print, res, &res->rows[i]);
	for (pair = 0; res->accounts && pair < res->pair_cnt; pair++)
		put_json_account(print->out, res->pair_names[pair], &res->accounts[pair]);
}

static void put_csv_heads(struct strbuf *out, const struct span_result *res)
{
	size_t i;

	strbuf__puts(out, res->is_interval ? "time,pair" : "pair");
	for (i = 0; i < res->key_cnt; i++) {
		strbuf__putc(out, ',');
		strbuf__put_csv(out, res->key_names[i], strlen(res->key_names[i]));
	}
	strbuf__puts(out, ",count,mean");
	for (i = 0; i < SPAN_QUANTILES; i++)
		strbuf__printf(out, ",%s", span_quantile_names[i]);
	strbuf__puts(out, ",max,total,share\n");
}

static void put_folded(struct strbuf *out, const struct sym_result *res, bool is_first)
{
	strbuf__puts(out, is_first ? "" : ";");
	sym_result__put(res, out);
}

static void put_csv_key(const struct span_print *print, const struct agg_key *k, bool is_stack)
{
	struct strbuf stack = STRBUF_INIT;

	if (is_stack) {
		agg_key__functions(k, print->sym, true, put_folded, &stack);
		strbuf__put_csv(print->out, strbuf__cstr(&stack), stack.len);
		strbuf__free(&stack);
	} else if (k->text) {
		strbuf__put_csv(print->out, k->text, strlen(k->text));
	} else {
		span_key__put_number(print->out, k);
	}
}

static void put_csv_row(const struct span_print *print, const struct span_result *res,
			const struct span_row *row)
{
	const struct span_hist *h = &row->hist;
	struct strbuf *out = print->out;
	size_t i;

	if (res->is_interval)
		strbuf__printf(out, "%llu,", (unsigned long long)res->time_ns);
	strbuf__put_csv(out, row->name, strlen(row->name));
	for (i = 0; i < res->key_cnt; i++) {
		strbuf__putc(out, ',');
		put_csv_key(print, &row->keys[i], res->is_stack[i]);
	}
	strbuf__printf(out, ",%llu,%llu", (unsigned long long)h->total,
		       (unsigned long long)span_hist__mean(h));
	for (i = 0; i < SPAN_QUANTILES; i++)
		strbuf__printf(out, ",%llu",
			       (unsigned long long)span_hist__quantile(h, span_quantiles[i]));
	strbuf__printf(out, ",%llu,%llu,%.6f\n", (unsigned long long)h->max_ns,
		       (unsigned long long)h->ns, row->share);
}

static void csv_rows(const struct span_print *print, const struct span_result *res, bool is_first)
{
	size_t i;

	if (is_first)
		put_csv_heads(print->out, res);
	for (i = 0; i < res->row_cnt; i++)
		put_csv_row(print, res, &res->rows[i]);
}

const struct span_format span_json = { .name = "json", .rows = json_rows };
const struct span_format span_csv = { .name = "csv", .rows = csv_rows };

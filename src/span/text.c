// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Durations as a table and as bars. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "decode/sample.h"
#include "span/result.h"
#include "sym/named.h"

#define BAR_WIDTH 40
#define NUMBER_WIDTH 10

static void put_key(struct strbuf *out, const struct agg_key *k)
{
	if (k->text)
		strbuf__put_escaped(out, k->text, strlen(k->text));
	else
		span_key__put_number(out, k);
}

struct widths {
	size_t name, keys[AGG_KEYS_MAX];
};

static void measure(struct widths *w, const struct span_result *res)
{
	struct strbuf sb = STRBUF_INIT;
	size_t i, r;

	w->name = strlen("PAIR");
	for (i = 0; i < res->key_cnt; i++)
		w->keys[i] = strlen(res->key_names[i]);
	for (r = 0; r < res->row_cnt; r++) {
		const struct span_row *row = &res->rows[r];

		if (strlen(row->name) > w->name)
			w->name = strlen(row->name);
		for (i = 0; i < res->key_cnt; i++) {
			strbuf__reset(&sb);
			if (!res->is_stack[i])
				put_key(&sb, &row->keys[i]);
			if (sb.len > w->keys[i])
				w->keys[i] = sb.len;
		}
	}
	strbuf__free(&sb);
}

/* Puts the columns behind the numbers: those of a row, or their headings if row is NULL. */
static void put_keys(struct strbuf *out, const struct span_result *res, const struct widths *w,
		     const struct span_row *row)
{
	size_t i, from, width = w->name;

	strbuf__puts(out, "  ");
	from = out->len;
	strbuf__puts(out, row ? row->name : "PAIR");
	for (i = 0; i < res->key_cnt; i++) {
		if (res->is_stack[i])
			continue;
		strbuf__pad(out, from, width);
		strbuf__puts(out, "  ");
		from = out->len;
		if (row)
			put_key(out, &row->keys[i]);
		else
			strbuf__puts(out, res->key_names[i]);
		width = w->keys[i];
	}
	strbuf__putc(out, '\n');
}

static void put_heads(struct strbuf *out, const struct span_result *res, const struct widths *w)
{
	static const char *const heads[] = { "MEAN", "P50", "P90", "P99", "MAX", "TOTAL" };
	size_t i;

	strbuf__printf(out, "%12s", "COUNT");
	for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		strbuf__printf(out, "%*s", NUMBER_WIDTH, heads[i]);
	strbuf__puts(out, "   SHARE");
	put_keys(out, res, w, NULL);
}

static void put_function(struct strbuf *out, const struct sym_result *res, bool is_first)
{
	strbuf__putc(out, '\t');
	sym_result__put(res, out);
	strbuf__putc(out, '\n');
}

/* Puts the stack below its row, innermost function first. */
static void put_stack(const struct span_print *print, const struct span_result *res,
		      const struct span_row *row)
{
	size_t i;

	for (i = 0; i < res->key_cnt; i++) {
		const struct agg_key *key = &row->keys[i];

		if (!res->is_stack[i])
			continue;
		agg_key__functions(key, print->sym, false, put_function, print->out);
		if (!key->stack)
			strbuf__puts(print->out,
				     key->stack_lost ? "\t[stack lost]\n" : "\t[no stack]\n");
		strbuf__putc(print->out, '\n');
	}
}

static void put_row(struct strbuf *out, const struct span_result *res, const struct widths *w,
		    const struct span_row *row)
{
	const struct span_hist *h = &row->hist;
	size_t i;

	strbuf__put_u64_pad(out, h->total, 12, ' ');
	span__put_ns(out, span_hist__mean(h), NUMBER_WIDTH);
	for (i = 0; i < SPAN_QUANTILES; i++)
		span__put_ns(out, span_hist__quantile(h, span_quantiles[i]), NUMBER_WIDTH);
	span__put_ns(out, h->max_ns, NUMBER_WIDTH);
	span__put_ns(out, h->ns, NUMBER_WIDTH);
	strbuf__printf(out, "%7.1f%%", 100.0 * row->share);
	put_keys(out, res, w, row);
}

/* Puts a bar for each power of two from the shortest to the longest. */
static void put_bars(struct strbuf *out, const struct span_hist *h)
{
	uint64_t cnts[65] = {}, most = 1;
	unsigned int first = 64, last = 0, b;
	size_t i, k;

	for (i = 0; i < h->cnt; i++) {
		uint64_t from = span_bucket__from(h->at[i].bucket);

		b = from ? 64u - (unsigned int)__builtin_clzll(from) : 0;
		cnts[b] += h->at[i].cnt;
		first = b < first ? b : first;
		last = b;
		most = cnts[b] > most ? cnts[b] : most;
	}
	for (b = first; b <= last; b++) {
		size_t len = (size_t)((double)cnts[b] / (double)most * BAR_WIDTH);

		strbuf__puts(out, "  [");
		span__put_ns(out, b ? 1ull << (b - 1) : 0, 7);
		strbuf__puts(out, ",");
		span__put_ns(out, 1ull << b, 8);
		strbuf__puts(out, ")");
		strbuf__put_u64_pad(out, cnts[b], 12, ' ');
		strbuf__puts(out, " |");
		for (k = 0; k < BAR_WIDTH; k++)
			strbuf__putc(out, k < len ? '@' : ' ');
		strbuf__puts(out, "|\n");
	}
}

/* The line above the rows of an interval. */
static void put_time(struct strbuf *out, uint64_t time_ns)
{
	time_t secs = (time_t)(time_ns / 1000000000);
	char text[40];
	struct tm tm;

	localtime_r(&secs, &tm);
	strftime(text, sizeof(text), "%H:%M:%S", &tm);
	strbuf__printf(out, "%s.%03u\n", text, (unsigned int)(time_ns / 1000000 % 1000));
}

static void text_rows(const struct span_print *print, const struct span_result *res, bool is_first)
{
	struct widths w;
	size_t i;

	if (!is_first)
		strbuf__putc(print->out, '\n');
	if (res->is_interval)
		put_time(print->out, res->time_ns);
	measure(&w, res);
	put_heads(print->out, res, &w);
	for (i = 0; i < res->row_cnt; i++) {
		put_row(print->out, res, &w, &res->rows[i]);
		put_stack(print, res, &res->rows[i]);
		if (!print->hist)
			continue;
		put_bars(print->out, &res->rows[i].hist);
		if (i + 1 < res->row_cnt)
			strbuf__putc(print->out, '\n');
	}
}

const struct span_format span_text = { .name = "text", .rows = text_rows };

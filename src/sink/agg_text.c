// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Aggregates as a table and as bars. */
#include <stdio.h>
#include <string.h>

#include "decode/sample.h"
#include "event/event.h"
#include "stat/agg_result.h"
#include "sink/callstack.h"
#include "sink/out.h"
#include "sink/sink.h"
#include "sym/named.h"

#define BAR_WIDTH 40

static int no_samples(struct sink *sink, const struct sample *s)
{
	return 0;
}

static void put_key(struct strbuf *out, const struct agg_key *k)
{
	if (k->text)
		strbuf__put_escaped(out, k->text, strlen(k->text));
	else if (k->is_signed)
		strbuf__put_s64(out, k->num);
	else
		strbuf__put_u64(out, (uint64_t)k->num);
}

static size_t key_width(const struct agg_result *res, size_t i)
{
	size_t width = strlen(res->key_names[i]), r;
	struct strbuf sb = STRBUF_INIT;

	for (r = 0; r < res->row_cnt; r++) {
		strbuf__reset(&sb);
		put_key(&sb, &res->rows[r].keys[i]);
		if (sb.len > width)
			width = sb.len;
	}
	strbuf__free(&sb);
	return width;
}

/* Puts the columns behind the numbers: a row's event and keys, or their headings if row is NULL. */
static void put_keys(struct strbuf *out, const struct agg_result *res, const struct agg_row *row,
		     const size_t widths[AGG_KEYS_MAX], size_t event_width)
{
	size_t i, from, width = event_width;

	strbuf__puts(out, "  ");
	from = out->len;
	strbuf__puts(out, row ? row->ev->name : "EVENT");
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
		width = widths[i];
	}
	strbuf__putc(out, '\n');
}

static void put_row(struct strbuf *out, const struct agg_result *res, const struct agg_row *row,
		    const size_t widths[AGG_KEYS_MAX], size_t event_width)
{
	strbuf__put_u64_pad(out, row->cnt, 12, ' ');
	if (res->sum) {
		char text[24];

		snprintf(text, sizeof(text), row->sum_is_signed ? "%lld" : "%llu",
			 (long long)row->sum);
		strbuf__printf(out, " %20s", text);
	}
	put_keys(out, res, row, widths, event_width);
}

static void put_function(struct strbuf *out, const struct sym_result *res, bool is_first)
{
	strbuf__putc(out, '\t');
	callstack__put_function(out, res);
	strbuf__putc(out, '\n');
}

/* Puts the stacks below their row, innermost function first. */
static void put_stacks(struct strbuf *out, const struct agg_result *res, const struct agg_row *row,
		       struct sym *sym)
{
	size_t i;

	for (i = 0; i < res->key_cnt; i++) {
		const struct agg_key *key = &row->keys[i];

		if (!res->is_stack[i])
			continue;
		agg_key__functions(key, sym, false, put_function, out);
		if (!key->stack)
			strbuf__puts(out, key->stack_lost ? "\t[stack lost]\n" : "\t[no stack]\n");
		else if (key->stack->truncated)
			strbuf__puts(out, "\t[truncated]\n");
		/* With a histogram the rows are separated by empty lines anyway. */
		if (!res->hist)
			strbuf__putc(out, '\n');
	}
}

/* Formats powers of two briefly: 0, 17, 4K, 1M. */
static const char *short_number(uint64_t v, char *buf, size_t sz)
{
	static const char units[] = "\0KMGTPE";
	unsigned int u = 0;

	while (v >= 1024 && v % 1024 == 0) {
		v /= 1024;
		u++;
	}
	snprintf(buf, sz, u ? "%llu%c" : "%llu", (unsigned long long)v, units[u]);
	return buf;
}

static void put_bucket_name(struct strbuf *out, unsigned int b)
{
	char from[24], to[24], name[64];

	if (b == 0)
		snprintf(name, sizeof(name), "(..., 0)");
	else if (b <= 2)
		snprintf(name, sizeof(name), "[%u]", b - 1);
	else if (b == AGG_BUCKETS - 1)
		snprintf(name, sizeof(name), "[%s, ...)",
			 short_number(agg_bucket__from(b), from, sizeof(from)));
	else
		snprintf(name, sizeof(name), "[%s, %s)",
			 short_number(agg_bucket__from(b), from, sizeof(from)),
			 short_number(agg_bucket__from(b + 1), to, sizeof(to)));
	strbuf__printf(out, "%-16s", name);
}

static void put_hist(struct strbuf *out, const uint64_t *buckets)
{
	unsigned int b, first = AGG_BUCKETS, last = 0, i;
	uint64_t most = 1;

	for (b = 0; b < AGG_BUCKETS; b++) {
		if (!buckets[b])
			continue;
		first = b < first ? b : first;
		last = b;
		most = buckets[b] > most ? buckets[b] : most;
	}
	for (b = first; b <= last && b < AGG_BUCKETS; b++) {
		unsigned int len = (unsigned int)((double)buckets[b] / (double)most * BAR_WIDTH);

		strbuf__puts(out, "  ");
		put_bucket_name(out, b);
		strbuf__put_u64_pad(out, buckets[b], 12, ' ');
		strbuf__puts(out, " |");
		for (i = 0; i < BAR_WIDTH; i++)
			strbuf__putc(out, i < len ? '@' : ' ');
		strbuf__puts(out, "|\n");
	}
}

static void put_heads(struct strbuf *out, const struct agg_result *res,
		      const size_t widths[AGG_KEYS_MAX], size_t event_width)
{
	strbuf__printf(out, "%12s", "COUNT");
	if (res->sum)
		strbuf__printf(out, " %20s", res->value);
	put_keys(out, res, NULL, widths, event_width);
}

static int agg_text_end(struct sink *sink)
{
	const struct agg_result *res = sink->cfg.agg;
	size_t widths[AGG_KEYS_MAX], event_width = strlen("EVENT"), i;
	struct strbuf *out = &sink->out->buf;

	for (i = 0; i < res->key_cnt; i++)
		widths[i] = key_width(res, i);
	for (i = 0; i < res->row_cnt; i++)
		if (strlen(res->rows[i].ev->name) > event_width)
			event_width = strlen(res->rows[i].ev->name);
	if (!res->hist)
		put_heads(out, res, widths, event_width);
	for (i = 0; i < res->row_cnt; i++) {
		if (res->hist && i)
			strbuf__putc(out, '\n');
		if (res->hist)
			put_heads(out, res, widths, event_width);
		put_row(out, res, &res->rows[i], widths, event_width);
		put_stacks(out, res, &res->rows[i], sink->cfg.sym);
		if (res->hist) {
			strbuf__printf(out, "  %s\n", res->value);
			put_hist(out, res->rows[i].buckets);
		}
		if (out__commit(sink->out))
			return sink->out->err;
	}
	return out__commit(sink->out);
}

const struct sink_ops agg_text_sink = {
	.name = "text",
	.suffix = ".txt .log .out",
	.sample = no_samples,
	.end = agg_text_end,
};

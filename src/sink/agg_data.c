// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Aggregates in formats for programs: JSON, one object per line, and CSV. */
#include <string.h>

#include "event/event.h"
#include "stat/agg_result.h"
#include "sink/out.h"
#include "sink/sink.h"
#include "sym/named.h"

static int no_samples(struct sink *sink, const struct sample *s)
{
	return 0;
}

static void put_number(struct strbuf *out, int64_t v, bool is_signed)
{
	if (is_signed)
		strbuf__put_s64(out, v);
	else
		strbuf__put_u64(out, (uint64_t)v);
}

static void put_json_buckets(struct strbuf *out, const uint64_t *buckets)
{
	const char *sep = "";
	unsigned int b;

	strbuf__puts(out, ",\"hist\":[");
	for (b = 0; b < AGG_BUCKETS; b++) {
		if (!buckets[b])
			continue;
		strbuf__printf(out, "%s{\"from\":", sep);
		/* The bucket of negative values has no lower bound. */
		if (b)
			strbuf__put_u64(out, agg_bucket__from(b));
		else
			strbuf__puts(out, "null");
		strbuf__puts(out, ",\"count\":");
		strbuf__put_u64(out, buckets[b]);
		strbuf__putc(out, '}');
		sep = ",";
	}
	strbuf__putc(out, ']');
}

/* {"name":"read","off":18,"module":"/usr/lib/libc.so.6"} */
static void put_json_function(struct strbuf *out, const struct sym_result *res, bool is_first)
{
	strbuf__puts(out, is_first ? "{" : ",{");
	if (res->name) {
		strbuf__puts(out, "\"name\":");
		strbuf__put_json(out, res->name, strlen(res->name));
		strbuf__putc(out, ',');
	}
	strbuf__puts(out, "\"off\":");
	strbuf__put_u64(out, res->off);
	strbuf__puts(out, ",\"module\":");
	strbuf__put_json(out, res->module, strlen(res->module));
	strbuf__putc(out, '}');
}

/* Prints the stack innermost first; null: the stack was lost. */
static void put_json_stack(struct strbuf *out, const struct agg_key *k, struct sym *sym)
{
	if (k->stack_lost) {
		strbuf__puts(out, "null");
		return;
	}
	strbuf__putc(out, '[');
	agg_key__functions(k, sym, false, put_json_function, out);
	strbuf__putc(out, ']');
}

static void put_json_row(struct strbuf *out, const struct agg_result *res,
			 const struct agg_row *row, struct sym *sym)
{
	size_t i;

	strbuf__puts(out, "{\"event\":");
	strbuf__put_json(out, row->ev->name, strlen(row->ev->name));
	strbuf__puts(out, ",\"by\":{");
	for (i = 0; i < res->key_cnt; i++) {
		const struct agg_key *k = &row->keys[i];

		strbuf__puts(out, i ? "," : "");
		strbuf__put_json(out, res->key_names[i], strlen(res->key_names[i]));
		strbuf__putc(out, ':');
		if (res->is_stack[i])
			put_json_stack(out, k, sym);
		else if (k->text)
			strbuf__put_json(out, k->text, strlen(k->text));
		else
			put_number(out, k->num, k->is_signed);
	}
	strbuf__puts(out, "},\"count\":");
	strbuf__put_u64(out, row->cnt);
	if (res->value) {
		strbuf__puts(out, ",\"value\":");
		strbuf__put_json(out, res->value, strlen(res->value));
	}
	if (res->sum) {
		strbuf__puts(out, ",\"sum\":");
		put_number(out, row->sum, row->sum_is_signed);
	}
	if (res->hist)
		put_json_buckets(out, row->buckets);
	strbuf__puts(out, "}\n");
}

static int agg_json_end(struct sink *sink)
{
	const struct agg_result *res = sink->cfg.agg;
	struct strbuf *out = &sink->out->buf;
	size_t i;

	for (i = 0; i < res->row_cnt && !sink->out->err; i++) {
		put_json_row(out, res, &res->rows[i], sink->cfg.sym);
		out__commit(sink->out);
	}
	if (res->not_counted)
		strbuf__printf(out, "{\"not_counted\":%llu}\n",
			       (unsigned long long)res->not_counted);
	if (res->no_value)
		strbuf__printf(out, "{\"no_value\":%llu}\n", (unsigned long long)res->no_value);
	return out__commit(sink->out);
}

static void put_folded_function(struct strbuf *out, const struct sym_result *res, bool is_first)
{
	if (!is_first)
		strbuf__putc(out, ';');
	sym_result__put(res, out);
}

/* Prints a folded stack: the functions' names, outermost first, in one cell. */
static void put_csv_stack(struct strbuf *out, const struct agg_key *k, struct sym *sym)
{
	struct strbuf text = STRBUF_INIT;

	if (k->stack_lost)
		strbuf__puts(&text, "[stack lost]");
	agg_key__functions(k, sym, true, put_folded_function, &text);
	strbuf__put_csv(out, strbuf__cstr(&text), text.len);
	strbuf__free(&text);
}

/* Puts all cells before the count. */
static void put_csv_keys(struct strbuf *out, const struct agg_result *res,
			 const struct agg_row *row, struct sym *sym)
{
	size_t i;

	strbuf__put_csv(out, row->ev->name, strlen(row->ev->name));
	for (i = 0; i < res->key_cnt; i++) {
		strbuf__putc(out, ',');
		if (res->is_stack[i])
			put_csv_stack(out, &row->keys[i], sym);
		else if (row->keys[i].text)
			strbuf__put_csv(out, row->keys[i].text, strlen(row->keys[i].text));
		else
			put_number(out, row->keys[i].num, row->keys[i].is_signed);
	}
	strbuf__putc(out, ',');
}

/* Puts one line per row, or with a histogram one per bucket. */
static void put_csv_row(struct strbuf *out, const struct agg_result *res, const struct agg_row *row,
			struct sym *sym)
{
	unsigned int b;

	for (b = 0; b < (res->hist ? AGG_BUCKETS : 1); b++) {
		if (res->hist && !row->buckets[b])
			continue;
		put_csv_keys(out, res, row, sym);
		strbuf__put_u64(out, res->hist ? row->buckets[b] : row->cnt);
		if (res->sum) {
			strbuf__putc(out, ',');
			put_number(out, row->sum, row->sum_is_signed);
		}
		if (res->hist) {
			strbuf__putc(out, ',');
			if (b)
				strbuf__put_u64(out, agg_bucket__from(b));
		}
		strbuf__putc(out, '\n');
	}
}

/* Puts a row of the rest: with these counts the column's sum equals the number of all records. */
static void put_csv_rest(struct strbuf *out, const struct agg_result *res, const char *name,
			 uint64_t cnt)
{
	size_t i;

	if (!cnt)
		return;
	strbuf__puts(out, name);
	for (i = 0; i < res->key_cnt; i++)
		strbuf__putc(out, ',');
	strbuf__putc(out, ',');
	strbuf__put_u64(out, cnt);
	strbuf__puts(out, res->sum ? "," : "");
	strbuf__puts(out, res->hist ? ",\n" : "\n");
}

static int agg_csv_end(struct sink *sink)
{
	const struct agg_result *res = sink->cfg.agg;
	struct strbuf *out = &sink->out->buf;
	size_t i;

	strbuf__puts(out, "event");
	for (i = 0; i < res->key_cnt; i++) {
		strbuf__putc(out, ',');
		strbuf__put_csv(out, res->key_names[i], strlen(res->key_names[i]));
	}
	strbuf__puts(out, res->sum ? ",count,sum" : ",count");
	strbuf__puts(out, res->hist ? ",from\n" : "\n");
	for (i = 0; i < res->row_cnt && !sink->out->err; i++) {
		put_csv_row(out, res, &res->rows[i], sink->cfg.sym);
		out__commit(sink->out);
	}
	put_csv_rest(out, res, "[not counted]", res->not_counted);
	put_csv_rest(out, res, "[no value]", res->no_value);
	return out__commit(sink->out);
}

const struct sink_ops agg_json_sink = {
	.name = "json",
	.suffix = ".json .jsonl",
	.sample = no_samples,
	.end = agg_json_end,
};

const struct sink_ops agg_csv_sink = {
	.name = "csv",
	.suffix = ".csv",
	.sample = no_samples,
	.end = agg_csv_end,
};

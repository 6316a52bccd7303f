// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * --format html: one page with the table, and a heat map of each row over time, with everything
 * needed to show it (page/); the page loads nothing.
 */
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/span_wire.h"
#include "latency_page.h"
#include "span/result.h"

/* Placeholder of the result in the page. */
#define MARK "@DATA@"
/* Rows with a picture; of all others together there is none. */
#define ROWS_MAX 200

static void put_text(struct strbuf *out, const char *text)
{
	strbuf__put_json(out, text, strlen(text));
}

static void put_keys(struct strbuf *out, const struct span_result *res, const struct span_row *row)
{
	size_t i;

	strbuf__puts(out, ",\"by\":[");
	for (i = 0; i < res->key_cnt; i++) {
		strbuf__puts(out, i ? ",\"" : "\"");
		if (!row->keys[i].text) {
			span_key__put_number(out, &row->keys[i]);
			strbuf__putc(out, '"');
			continue;
		}
		out->len--;
		put_text(out, row->keys[i].text);
	}
	strbuf__putc(out, ']');
}

/* Four numbers in one array for each cell of the row: slice, step, count. */
static void put_heat(struct strbuf *out, const struct span_heat *heat, uint64_t id)
{
	bool has_some = false;
	size_t i;

	strbuf__puts(out, ",\"heat\":[");
	for (i = 0; i < heat->cnt; i++) {
		const struct span_heat_cell *c = &heat->at[i];

		if (c->row != id)
			continue;
		strbuf__printf(out, "%s%u,%u,%llu", has_some ? "," : "", c->slice, c->step,
			       (unsigned long long)c->cnt);
		has_some = true;
	}
	strbuf__putc(out, ']');
}

static void put_row(struct strbuf *out, const struct span_print *print,
		    const struct span_result *res, const struct span_row *row)
{
	const struct span_hist *h = &row->hist;
	size_t i;

	strbuf__puts(out, "{\"name\":");
	put_text(out, row->name);
	put_keys(out, res, row);
	strbuf__printf(out, ",\"count\":%llu,\"mean\":%llu", (unsigned long long)h->total,
		       (unsigned long long)span_hist__mean(h));
	for (i = 0; i < SPAN_QUANTILES; i++)
		strbuf__printf(out, ",\"%s\":%llu", span_quantile_names[i],
			       (unsigned long long)span_hist__quantile(h, span_quantiles[i]));
	strbuf__printf(out, ",\"max\":%llu,\"total\":%llu,\"share\":%.6f",
		       (unsigned long long)h->max_ns, (unsigned long long)h->ns, row->share);
	put_heat(out, print->heat, row->id);
	strbuf__putc(out, '}');
}

/* The least duration of each step: the scripts need no arithmetic of buckets. */
static void put_steps(struct strbuf *out)
{
	uint32_t bucket;

	strbuf__puts(out, "\"steps\":[");
	for (bucket = 0; bucket < WIRE_SPAN_BUCKETS; bucket += SPAN_HEAT_STEPS)
		strbuf__printf(out, "%s%llu", bucket ? "," : "",
			       (unsigned long long)span_bucket__from(bucket));
	strbuf__putc(out, ']');
}

static void put_data(struct strbuf *out, const struct span_print *print,
		     const struct span_result *res)
{
	size_t i;

	strbuf__printf(
		out, "{\"begin\":%llu,\"slice\":%llu,\"slices\":%u,\"rows_all\":%zu,",
		(unsigned long long)(print->heat->is_relative ? 0
							      : print->heat->begin_ns / 1000000),
		(unsigned long long)print->heat->slice_ns, print->heat->slice_cnt, res->row_cnt);
	put_steps(out);
	strbuf__puts(out, ",\n\"keys\":[");
	for (i = 0; i < res->key_cnt; i++) {
		strbuf__puts(out, i ? "," : "");
		put_text(out, res->key_names[i]);
	}
	strbuf__puts(out, "],\n\"rows\":[");
	for (i = 0; i < res->row_cnt && i < ROWS_MAX; i++) {
		strbuf__puts(out, i ? ",\n" : "\n");
		put_row(out, print, res, &res->rows[i]);
	}
	strbuf__puts(out, "]}\n");
}

static void html_rows(const struct span_print *print, const struct span_result *res, bool is_first)
{
	const char *mark = strstr(latency_page, MARK);
	struct strbuf json = STRBUF_INIT;

	put_data(&json, print, res);
	strbuf__add(print->out, latency_page, (size_t)(mark - latency_page));
	strbuf__put_script_json(print->out, json.buf, json.len);
	strbuf__puts(print->out, mark + strlen(MARK));
	strbuf__free(&json);
}

const struct span_format span_html = { .name = "html", .rows = html_rows };

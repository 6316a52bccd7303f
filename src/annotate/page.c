// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "annotate/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/rows.h"

/* Different source files of which a page knows the paths; further ones are looked up in vain. */
#define FILES_MAX 4096

struct page_rows {
	struct strbuf *json;
	const struct annotated *f;
	const char *sep;
	/* Paths of sources: each has one address (sym/sym.h). */
	const char *files[FILES_MAX];
	size_t file_cnt;
};

/* Texts of others are escaped as in the profile: the page compares its names. */
static void put_text(struct strbuf *json, const char *text, size_t len)
{
	struct strbuf escaped = STRBUF_INIT;

	strbuf__put_escaped(&escaped, text, len);
	strbuf__put_json(json, strbuf__cstr(&escaped), escaped.len);
	strbuf__free(&escaped);
}

static size_t file_idx(struct page_rows *p, const char *path)
{
	size_t i;

	/* Lines that follow each other are mostly of one file. */
	for (i = p->file_cnt; i-- > 0;)
		if (p->files[i] == path || !strcmp(p->files[i], path))
			return i;
	if (p->file_cnt == FILES_MAX)
		return FILES_MAX;
	p->files[p->file_cnt] = path;
	return p->file_cnt++;
}

static void put_line(struct page_rows *p, const struct code_row *row)
{
	struct strbuf text = STRBUF_INIT;
	const char *at = row->text;
	size_t len = row->len;

	if (at) {
		for (; len && *at == '\t'; at++, len--)
			strbuf__puts(&text, "    ");
		strbuf__add(&text, at, len);
		put_text(p->json, strbuf__cstr(&text), text.len);
	} else {
		strbuf__puts(p->json, "null");
	}
	strbuf__printf(p->json, ",%u,%zu", row->line, file_idx(p, row->name));
	strbuf__free(&text);
}

static void put_row(void *ctx, const struct code_row *row)
{
	struct page_rows *p = ctx;

	strbuf__puts(p->json, p->sep);
	strbuf__putc(p->json, '[');
	p->sep = ",";
	switch (row->kind) {
	case CODE_ROW_FUNC:
		put_text(p->json, row->name, strlen(row->name));
		break;
	case CODE_ROW_LINE:
		put_line(p, row);
		break;
	case CODE_ROW_INSN:
		strbuf__put_u64(p->json, row->addr - p->f->start_addr);
		strbuf__putc(p->json, ',');
		put_text(p->json, row->text, row->len);
		break;
	}
	strbuf__putc(p->json, ']');
}

static void put_counts(const struct annotated *f, const char *event, struct strbuf *json)
{
	size_t i;

	strbuf__putc(json, '[');
	put_text(json, event, strlen(event));
	for (i = 0; i < f->addr_cnt; i++) {
		strbuf__putc(json, ',');
		strbuf__put_u64(json, f->addrs[i].place - f->start_place);
		strbuf__putc(json, ',');
		strbuf__put_u64(json, f->addrs[i].samples);
		strbuf__putc(json, ',');
		strbuf__put_u64(json, f->addrs[i].period);
	}
	strbuf__putc(json, ']');
}

/* Puts one function with its counts of `cnt` events. */
static void put_function(struct code_page *page, struct page_rows *p, size_t cnt)
{
	const struct code_rows rows = { page->cfg->sym, page->cfg->sources, p->f, put_row, p };
	size_t i;
	int err;

	strbuf__puts(p->json, "{\"name\":");
	put_text(p->json, p->f->name, strlen(p->f->name));
	strbuf__puts(p->json, ",\"module\":");
	put_text(p->json, p->f->module, strlen(p->f->module));
	strbuf__printf(p->json, ",\"kernel\":%s,\"start\":\"%llx\",\n\"rows\":[",
		       p->f->is_kernel ? "true" : "false", (unsigned long long)p->f->start_addr);
	p->sep = "";
	err = code_rows__each(&rows);
	if (err && !page->bare_cnt++) {
		page->bare = p->f;
		page->bare_err = err;
	}
	strbuf__puts(p->json, "],\n\"counts\":[");
	for (i = 0; i < cnt; i++) {
		strbuf__puts(p->json, i ? "," : "");
		put_counts(&p->f[i], page->event_names[p->f[i].event], p->json);
	}
	strbuf__puts(p->json, "]}");
}

/* One function's part of `found`. */
struct page_group {
	const struct annotated *first;
	size_t cnt; /* events */
	double share; /* of the event's period, the largest */
};

static int compare_by_place(const void *a, const void *b)
{
	const struct annotated *x = a, *y = b;

	if (x->is_kernel != y->is_kernel)
		return x->is_kernel ? -1 : 1;
	if (x->start_place != y->start_place)
		return x->start_place < y->start_place ? -1 : 1;
	return x->event < y->event ? -1 : x->event > y->event;
}

static int compare_by_share(const void *a, const void *b)
{
	const struct page_group *x = a, *y = b;

	if (x->share != y->share)
		return x->share > y->share ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* Sums the periods of each event. */
static void sum_up(const struct code_page *page, double *sums)
{
	size_t i;

	for (i = 0; i < page->found_cnt; i++)
		sums[page->found[i].event] += (double)page->found[i].period;
}

/* Makes the groups, the largest first. Returns their number. */
static size_t make_groups(struct code_page *page, const double *sums, struct page_group *groups)
{
	size_t i, cnt = 0;

	qsort(page->found, page->found_cnt, sizeof(*page->found), compare_by_place);
	for (i = 0; i < page->found_cnt; i++) {
		const struct annotated *f = &page->found[i];
		struct page_group *g = cnt ? &groups[cnt - 1] : NULL;
		double share = sums[f->event] > 0 ? (double)f->period / sums[f->event] : 0;

		if (!g || g->first->start_place != f->start_place ||
		    g->first->is_kernel != f->is_kernel) {
			g = &groups[cnt++];
			*g = (struct page_group){ .first = f };
		}
		g->cnt++;
		if (share > g->share)
			g->share = share;
	}
	qsort(groups, cnt, sizeof(*groups), compare_by_share);
	return cnt;
}

static void put_files(const struct page_rows *p)
{
	size_t i;

	for (i = 0; i < p->file_cnt; i++) {
		strbuf__puts(p->json, i ? "," : "");
		put_text(p->json, p->files[i], strlen(p->files[i]));
	}
}

int code_page__put(struct code_page *page, struct strbuf *json)
{
	struct page_group *groups = calloc(page->found_cnt + 1, sizeof(*groups));
	double *sums = calloc(page->event_cnt + 1, sizeof(*sums));
	struct page_rows *p = calloc(1, sizeof(*p));
	size_t cnt, i;
	int err = groups && sums && p ? 0 : -ENOMEM;

	if (!err) {
		p->json = json;
		sum_up(page, sums);
		cnt = make_groups(page, sums, groups);
		strbuf__puts(json, "{\"functions\":[");
		for (i = 0; i < cnt && json->len < page->sz_max; i++) {
			strbuf__puts(json, i ? ",\n" : "");
			p->f = groups[i].first;
			put_function(page, p, groups[i].cnt);
		}
		page->left_out = cnt - i;
		strbuf__printf(json, "],\n\"left_out\":%zu,\"files\":[", page->left_out);
		put_files(p);
		strbuf__puts(json, "]}");
	}
	free(groups);
	free(sums);
	free(p);
	return err;
}

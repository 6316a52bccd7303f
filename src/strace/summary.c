// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "strace/summary.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/log.h"

enum column {
	COL_PERCENT,
	COL_TIME,
	COL_AVG,
	COL_CALLS,
	COL_ERRORS,
	COL_NAME,
	COL_MIN,
	COL_MAX,
	COL_CNT,
};

static const struct {
	const char *names; /* for -U */
	const char *head;
	int width;
} columns[COL_CNT] = {
	[COL_PERCENT] = { "time-percent time_percent", "% time", 6 },
	[COL_TIME] = { "total-time time seconds", "seconds", 11 },
	[COL_AVG] = { "avg-time avgtime avg_time", "usecs/call", 11 },
	[COL_CALLS] = { "calls count", "calls", 9 },
	[COL_ERRORS] = { "errors error", "errors", 9 },
	[COL_NAME] = { "name syscall", "syscall", 16 },
	[COL_MIN] = { "min-time mintime shortest", "shortest", 11 },
	[COL_MAX] = { "max-time maxtime longest", "longest", 11 },
};

static bool has_word(const char *list, const char *word, size_t len)
{
	const char *at = list;

	while ((at = strstr(at, word))) {
		if ((at == list || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
			return true;
		at++;
	}
	return false;
}

static int column_of(const char *word)
{
	int i;

	for (i = 0; i < COL_CNT; i++)
		if (has_word(columns[i].names, word, strlen(word)))
			return i;
	return -1;
}

int summary__parse_sort(const char *name, enum summary_sort *sort)
{
	static const enum summary_sort sorts[COL_CNT] = {
		[COL_PERCENT] = SORT_TIME, [COL_TIME] = SORT_TIME,     [COL_AVG] = SORT_AVG_TIME,
		[COL_CALLS] = SORT_CALLS,  [COL_ERRORS] = SORT_ERRORS, [COL_NAME] = SORT_NAME,
		[COL_MIN] = SORT_MIN_TIME, [COL_MAX] = SORT_MAX_TIME,
	};
	int col = column_of(name);

	if (strcmp(name, "none") == 0 || strcmp(name, "nothing") == 0) {
		*sort = SORT_NOTHING;
		return 0;
	}
	if (col < 0) {
		log_error("-S %s: choose from time avg-time min-time max-time calls errors name "
			  "nothing",
			  name);
		return -EINVAL;
	}
	*sort = sorts[col];
	return 0;
}

/* Takes a list apart. Returns the number of columns, or -EINVAL (logged). */
static int parse_columns(const char *list, enum column cols[COL_CNT])
{
	char copy[256], *word, *rest;
	int cnt = 0;

	strncpy(copy, list, sizeof(copy) - 1);
	copy[sizeof(copy) - 1] = '\0';
	for (word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
		int col = column_of(word);

		if (col < 0 || cnt == COL_CNT) {
			log_error("-U %s: choose from time-percent total-time avg-time min-time "
				  "max-time calls errors name",
				  word);
			return -EINVAL;
		}
		cols[cnt++] = (enum column)col;
	}
	return cnt;
}

int summary__check_columns(const char *list)
{
	enum column cols[COL_CNT];
	int cnt = parse_columns(list, cols);

	return cnt < 0 ? cnt : 0;
}

static enum summary_sort sort_by;

static uint64_t sort_key(const struct summary_row *r)
{
	const struct strace_count *c = &r->count;

	switch (sort_by) {
	case SORT_TIME:
		return c->ns;
	case SORT_MIN_TIME:
		return c->min_ns;
	case SORT_MAX_TIME:
		return c->max_ns;
	case SORT_AVG_TIME:
		return c->ns / c->calls;
	case SORT_CALLS:
		return c->calls;
	case SORT_ERRORS:
		return c->errors;
	default:
		return 0;
	}
}

static int compare(const void *a, const void *b)
{
	const struct summary_row *l = a, *r = b;
	uint64_t x = sort_key(l), y = sort_key(r);

	if (x != y)
		return x < y ? 1 : -1;
	return strcmp(l->name, r->name);
}

static void put_cell(struct strbuf *out, enum column col, const struct summary_row *r,
		     uint64_t all_ns)
{
	const struct strace_count *c = &r->count;
	int width = columns[col].width;

	switch (col) {
	case COL_PERCENT:
		strbuf__printf(out, "%*.2f", width,
			       all_ns ? 100.0 * (double)c->ns / (double)all_ns : 0.0);
		return;
	case COL_TIME:
		strbuf__printf(out, "%*.6f", width, (double)c->ns / 1e9);
		return;
	case COL_MIN:
		strbuf__printf(out, "%*.6f", width, (double)c->min_ns / 1e9);
		return;
	case COL_MAX:
		strbuf__printf(out, "%*.6f", width, (double)c->max_ns / 1e9);
		return;
	case COL_AVG:
		strbuf__printf(out, "%*llu", width,
			       (unsigned long long)(c->calls ? c->ns / c->calls / 1000 : 0));
		return;
	case COL_CALLS:
		strbuf__printf(out, "%*llu", width, (unsigned long long)c->calls);
		return;
	case COL_ERRORS:
		if (c->errors)
			strbuf__printf(out, "%*llu", width, (unsigned long long)c->errors);
		else
			strbuf__printf(out, "%*s", width, "");
		return;
	case COL_NAME:
		strbuf__puts(out, r->name);
		return;
	case COL_CNT:
		return;
	}
}

static void put_row(struct strbuf *out, const enum column *cols, int cnt,
		    const struct summary_row *r, uint64_t all_ns)
{
	int i;

	for (i = 0; i < cnt; i++) {
		if (i)
			strbuf__putc(out, ' ');
		put_cell(out, cols[i], r, all_ns);
	}
	strbuf__putc(out, '\n');
}

static void put_line(struct strbuf *out, const enum column *cols, int cnt)
{
	int i, k;

	for (i = 0; i < cnt; i++) {
		if (i)
			strbuf__putc(out, ' ');
		for (k = 0; k < columns[cols[i]].width; k++)
			strbuf__putc(out, '-');
	}
	strbuf__putc(out, '\n');
}

void summary__print(struct strbuf *out, struct summary_row *rows, size_t cnt,
		    const struct summary_opts *opts)
{
	enum column cols[COL_CNT] = { COL_PERCENT, COL_TIME,   COL_AVG,
				      COL_CALLS,   COL_ERRORS, COL_NAME };
	struct summary_row total = { .name = "total" };
	int col_cnt = opts->columns ? parse_columns(opts->columns, cols) : 6, i;
	size_t k;

	for (k = 0; k < cnt; k++) {
		const struct strace_count *c = &rows[k].count;

		if (!total.count.calls || c->min_ns < total.count.min_ns)
			total.count.min_ns = c->min_ns;
		if (c->max_ns > total.count.max_ns)
			total.count.max_ns = c->max_ns;
		total.count.calls += c->calls;
		total.count.errors += c->errors;
		total.count.ns += c->ns;
	}
	sort_by = opts->sort;
	if (opts->sort != SORT_NOTHING)
		qsort(rows, cnt, sizeof(*rows), compare);
	for (i = 0; i < col_cnt; i++)
		strbuf__printf(out, "%s%*s", i ? " " : "",
			       cols[i] == COL_NAME ? 0 : columns[cols[i]].width,
			       columns[cols[i]].head);
	strbuf__putc(out, '\n');
	put_line(out, cols, col_cnt);
	for (k = 0; k < cnt; k++)
		put_row(out, cols, col_cnt, &rows[k], total.count.ns);
	put_line(out, cols, col_cnt);
	put_row(out, cols, col_cnt, &total, total.count.ns);
}

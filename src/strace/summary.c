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

struct layout {
	enum column cols[COL_CNT];
	int cnt;
	int name_width; /* of the longest name and a space, as strace has it */
};

static int width_of(const struct layout *l, int i)
{
	return l->cols[i] == COL_NAME ? l->name_width : columns[l->cols[i]].width;
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
	case COL_CNT:
		return;
	}
}

/* Text in the column of names, which is padded unless it is the last. */
static void put_name(struct strbuf *out, const struct layout *l, int i, const char *name)
{
	strbuf__printf(out, "%-*s", i == l->cnt - 1 ? 0 : l->name_width, name);
}

static void put_row(struct strbuf *out, const struct layout *l, const struct summary_row *r,
		    uint64_t all_ns)
{
	int i;

	for (i = 0; i < l->cnt; i++) {
		if (i)
			strbuf__putc(out, ' ');
		if (l->cols[i] == COL_NAME)
			put_name(out, l, i, r->name);
		else
			put_cell(out, l->cols[i], r, all_ns);
	}
	strbuf__putc(out, '\n');
}

static void put_heads(struct strbuf *out, const struct layout *l)
{
	int i;

	for (i = 0; i < l->cnt; i++) {
		const char *text = columns[l->cols[i]].head;

		if (i)
			strbuf__putc(out, ' ');
		if (l->cols[i] == COL_NAME)
			put_name(out, l, i, text);
		else
			strbuf__printf(out, "%*s", width_of(l, i), text);
	}
	strbuf__putc(out, '\n');
}

static void put_line(struct strbuf *out, const struct layout *l)
{
	int i, k;

	for (i = 0; i < l->cnt; i++) {
		if (i)
			strbuf__putc(out, ' ');
		for (k = 0; k < width_of(l, i); k++)
			strbuf__putc(out, '-');
	}
	strbuf__putc(out, '\n');
}

static void add_to(struct strace_count *sum, const struct strace_count *c)
{
	if (!sum->calls || c->min_ns < sum->min_ns)
		sum->min_ns = c->min_ns;
	if (c->max_ns > sum->max_ns)
		sum->max_ns = c->max_ns;
	sum->calls += c->calls;
	sum->errors += c->errors;
	sum->ns += c->ns;
}

void summary__print(struct strbuf *out, struct summary_row *rows, size_t cnt,
		    const struct summary_opts *opts)
{
	struct layout l = {
		.cols = { COL_PERCENT, COL_TIME, COL_AVG, COL_CALLS, COL_ERRORS, COL_NAME },
		.cnt = 6,
		.name_width = columns[COL_NAME].width,
	};
	struct summary_row total = { .name = "total" };
	size_t k;

	if (opts->columns)
		l.cnt = parse_columns(opts->columns, l.cols);
	for (k = 0; k < cnt; k++) {
		int len = (int)strlen(rows[k].name) + 1;

		add_to(&total.count, &rows[k].count);
		if (len > l.name_width)
			l.name_width = len;
	}
	sort_by = opts->sort;
	if (opts->sort != SORT_NOTHING)
		qsort(rows, cnt, sizeof(*rows), compare);
	put_heads(out, &l);
	put_line(out, &l);
	for (k = 0; k < cnt; k++)
		put_row(out, &l, &rows[k], total.count.ns);
	put_line(out, &l);
	put_row(out, &l, &total, total.count.ns);
}

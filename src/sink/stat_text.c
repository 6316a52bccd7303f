// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The text format of stat: a table of counts with their metrics. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stat/stat.h"

/* Widths of perf stat's columns. */
#define COUNT_WIDTH 18
#define UNIT_WIDTH 4
#define NAME_WIDTH 32
#define METRIC_WIDTH 35
#define ONLY_WIDTH 20

/* Widths of the columns before a row's count, with the blank behind them, like perf stat's. */
static const struct {
	const char *head;
	int width, label_width;
} places[] = {
	[STAT_TOGETHER] = { "", 0, 0 },
	[STAT_BY_CPU] = { "CPU", 11, 10 },
	[STAT_BY_THREAD] = { "            comm-pid", 21, 20 },
	[STAT_BY_NODE] = { "node   cpus", 12, 6 },
	[STAT_BY_SOCKET] = { "socket cpus", 12, 6 },
	[STAT_BY_DIE] = { "die          cpus", 18, 12 },
	[STAT_BY_CORE] = { "core            cpus", 21, 15 },
	[STAT_BY_CLUSTER] = { "cluster              cpus", 26, 20 },
	[STAT_BY_CACHE] = { "cache                  cpus", 28, 22 },
};

static void put_heading(struct strbuf *sb, const struct stat_style *style,
			const struct stat_summary *sum)
{
	if (style->intervals && style->metric_only)
		return;
	if (style->intervals) {
		strbuf__printf(sb, "#%15s %-*s%*s unit events\n", "time",
			       places[style->apart].width, places[style->apart].head, COUNT_WIDTH,
			       "counts");
		return;
	}
	strbuf__puts(sb, "\n Performance counter stats for ");
	strbuf__put_escaped(sb, sum->target_text, strlen(sum->target_text));
	if (sum->done_cnt < style->run_cnt)
		strbuf__printf(sb, " (%u of %u runs)", sum->done_cnt, style->run_cnt);
	else if (style->run_cnt > 1)
		strbuf__printf(sb, " (%u runs)", style->run_cnt);
	strbuf__puts(sb, ":\n\n");
}

/* Puts the number with its integer digits grouped by threes. */
static void put_number(struct strbuf *sb, double value, bool whole, const char *thousands)
{
	char plain[64], grouped[160];
	size_t digits, i, n = 0, sep_sz = strlen(thousands);

	snprintf(plain, sizeof(plain), whole ? "%.0f" : "%.2f", value);
	digits = strspn(plain, "0123456789");
	for (i = 0; plain[i]; i++) {
		if (i && i < digits && (digits - i) % 3 == 0) {
			memcpy(grouped + n, thousands, sep_sz);
			n += sep_sz;
		}
		grouped[n++] = plain[i];
	}
	grouped[n] = '\0';
	strbuf__printf(sb, "%*s", COUNT_WIDTH, grouped);
}

static void put_count(struct strbuf *sb, const struct stat_style *style, const struct stat_row *row)
{
	switch (row->state) {
	case STAT_COUNTED:
		/* A mean of counts is shown like a count. */
		put_number(sb, row->value, !*row->unit || floor(row->value) == row->value,
			   style->thousands);
		break;
	case STAT_NOT_COUNTED:
		strbuf__printf(sb, "%*s", COUNT_WIDTH, "<not counted>");
		break;
	case STAT_NOT_SUPPORTED:
		strbuf__printf(sb, "%*s", COUNT_WIDTH, "<not supported>");
		break;
	}
}

static void put_metric(struct strbuf *sb, const struct stat_metric *m)
{
	char value[64];
	int n;

	if (!m->unit) {
		strbuf__printf(sb, "%*s", METRIC_WIDTH, "");
		return;
	}
	/* Shares and ratios align with two decimals, rates with three. */
	n = snprintf(value, sizeof(value), m->digits == 2 ? "%7.2f%s" : "%8.3f", m->value,
		     m->percent ? "%" : " ");
	strbuf__printf(sb, " # %s %-*s", value, METRIC_WIDTH - 3 - n - 1, m->unit);
}

/* Puts a metric of -M as perf does: with a unit before its name, and one decimal then. */
static void put_named(struct strbuf *sb, const struct stat_named *named)
{
	const struct stat_metric *m = &named->metric;

	strbuf__printf(sb, " # %8.*f ", m->digits, m->value);
	if (*m->unit)
		strbuf__printf(sb, "%s  ", m->unit);
	strbuf__put_escaped(sb, named->name, strlen(named->name));
}

static void trim(struct strbuf *sb)
{
	while (sb->len && sb->buf[sb->len - 1] == ' ')
		sb->len--;
}

static void put_why(struct strbuf *sb, const char *why)
{
	strbuf__puts(sb, "\n                     ^ ");
	strbuf__put_escaped(sb, why, strlen(why));
}

/* Puts the CPU, thread or the like of a row; blanks for a row of the whole, like a time. */
static void put_place(struct strbuf *sb, const struct stat_style *style, const struct stat_row *row,
		      double time_s)
{
	int width = places[style->apart].label_width;

	if (style->intervals)
		strbuf__printf(sb, "%16.9f ", time_s);
	if (row->cpu >= 0) {
		strbuf__printf(sb, "CPU%-*d ", width - 3, row->cpu);
	} else if (row->thread) {
		strbuf__printf(sb, "%*s",
			       (int)(20 > strlen(row->thread) ? 20 - strlen(row->thread) : 0), "");
		strbuf__put_escaped(sb, row->thread, strlen(row->thread));
		strbuf__putc(sb, ' ');
	} else if (row->place) {
		strbuf__printf(sb, "%-*s %4zu ", width, row->place, row->place_cpu_cnt);
	} else {
		strbuf__printf(sb, "%*s", places[style->apart].width, "");
	}
}

/* Puts the metrics of -M: the first one on the row's line, unless a ratio is there. */
static void put_all_named(struct strbuf *sb, const struct stat_style *style,
			  const struct stat_row *row)
{
	size_t i;

	for (i = 0; i < row->named_cnt; i++) {
		const struct stat_named *named = &row->named[i];

		if (i || row->metric.unit) {
			trim(sb);
			strbuf__printf(sb, "\n%*s",
				       (style->intervals ? 17 : 0) + places[style->apart].width +
					       COUNT_WIDTH + 1 + UNIT_WIDTH + 1 + NAME_WIDTH,
				       "");
			put_named(sb, named);
		}
		if (*named->why)
			put_why(sb, named->why);
	}
}

static void row_line(struct strbuf *sb, const struct stat_style *style, const struct stat_row *row,
		     double time_s)
{
	put_place(sb, style, row, time_s);
	put_count(sb, style, row);
	strbuf__printf(sb, " %-*s ", UNIT_WIDTH, row->unit);
	strbuf__printf(sb, "%-*s", NAME_WIDTH, row->name);
	if (row->cgroup) {
		strbuf__putc(sb, ' ');
		strbuf__put_escaped(sb, row->cgroup, strlen(row->cgroup));
	}
	if (row->named_cnt && !row->metric.unit)
		put_named(sb, &row->named[0]);
	else
		put_metric(sb, &row->metric);
	if (row->spread_pct > 0)
		strbuf__printf(sb, "  ( +-%6.2f%% )", row->spread_pct);
	if (row->running_ns != row->enabled_ns)
		strbuf__printf(sb, "  (%.2f%%)",
			       100.0 * (double)row->running_ns / (double)row->enabled_ns);
	trim(sb);
	if (row->why)
		put_why(sb, row->why);
	put_all_named(sb, style, row);
	strbuf__putc(sb, '\n');
}

/* Returns the number of decimals that the spread leaves meaningful, plus two. */
static int digits_of(double spread)
{
	return spread > 1 || spread <= 0 ? 2 : (int)ceil(-log10(spread)) + 2;
}

/* Puts the time of each run, with a mark for each 5 % that it is off the mean, as perf does. */
static void put_table(struct strbuf *sb, const struct stat_summary *sum, int digits)
{
	char mean[64];
	int indent, marks;
	unsigned int i;

	snprintf(mean, sizeof(mean), " %17.*f", digits, sum->elapsed_s);
	indent = (int)strspn(mean, " ");
	strbuf__printf(sb, "\n%*s# Table of individual measurements:\n", indent, "");
	for (i = 0; i < sum->done_cnt; i++) {
		double run = sum->runs_s[i], off = run - sum->elapsed_s;

		strbuf__printf(sb, " %17.*f (%+.*f) ", digits, run, digits, off);
		marks = run > 0 ? 1 + (int)fmin(fabs(trunc(100 * off / run)) / 5, 1000) : 1;
		while (marks-- > 0)
			strbuf__putc(sb, '#');
		strbuf__putc(sb, '\n');
	}
	strbuf__printf(sb, "\n%*s# Final result:", indent, "");
}

static void end(struct strbuf *sb, const struct stat_style *style, const struct stat_summary *sum)
{
	if (style->intervals)
		return;
	if (sum->done_cnt > 1) {
		int digits = digits_of(sum->elapsed_spread_s);

		if (sum->runs_s)
			put_table(sb, sum, digits);

		strbuf__printf(sb, "\n %17.*f +- %.*f seconds time elapsed  ( +-%6.2f%% )\n\n",
			       digits, sum->elapsed_s, digits, sum->elapsed_spread_s,
			       sum->elapsed_s > 0 ? 100 * sum->elapsed_spread_s / sum->elapsed_s
						  : 0);
		return;
	}
	strbuf__printf(sb, "\n %17.9f seconds time elapsed\n", sum->elapsed_s);
	if (sum->has_usage)
		strbuf__printf(sb, "\n %17.9f seconds user\n %17.9f seconds sys\n", sum->user_s,
			       sum->system_s);
	strbuf__putc(sb, '\n');
}

/* Returns the width of a column: perf stat's, or that of a longer name. */
static int column_width(const struct stat_metric_column *column)
{
	return strlen(column->name) > ONLY_WIDTH ? (int)strlen(column->name) : ONLY_WIDTH;
}

static void metric_head(struct strbuf *sb, const struct stat_style *style,
			const struct stat_metric_line *line)
{
	size_t i;

	if (style->intervals)
		strbuf__printf(sb, "#%15s ", "time");
	strbuf__printf(sb, "%-*s", places[style->apart].width, places[style->apart].head);
	for (i = 0; i < line->cnt; i++)
		strbuf__printf(sb, "%*s ", column_width(&line->columns[i]), line->columns[i].name);
	trim(sb);
	strbuf__putc(sb, '\n');
}

static void metric_line(struct strbuf *sb, const struct stat_style *style,
			const struct stat_metric_line *line, double time_s)
{
	char value[64];
	size_t i;

	put_place(sb, style, line->of, time_s);
	for (i = 0; i < line->cnt; i++) {
		const struct stat_metric *m = line->metrics[i];

		value[0] = '\0';
		if (m)
			snprintf(value, sizeof(value), "%.*f%s", m->digits, m->value,
				 m->percent ? "%" : " ");
		strbuf__printf(sb, "%*s ", column_width(&line->columns[i]), value);
	}
	trim(sb);
	strbuf__putc(sb, '\n');
}

const struct stat_format stat_text = {
	.name = "text",
	.has_reasons = true,
	.is_text = true,
	.begin = put_heading,
	.row = row_line,
	.metric_head = metric_head,
	.metric_line = metric_line,
	.end = end,
};

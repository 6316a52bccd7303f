// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sink/stat.h"

/* Widths of perf stat's columns. */
#define COUNT_WIDTH 18
#define UNIT_WIDTH 4
#define NAME_WIDTH 32
#define METRIC_WIDTH 35

static void begin(struct strbuf *sb, const struct stat_style *style, const struct stat_summary *sum)
{
	if (style->intervals) {
		strbuf__printf(sb, "#           time %s            counts unit events\n",
			       style->by_cpu ? "CPU       " : "");
		return;
	}
	strbuf__puts(sb, "\n Performance counter stats for ");
	strbuf__put_escaped(sb, sum->whom, strlen(sum->whom));
	if (style->run_cnt > 1)
		strbuf__printf(sb, " (%u runs)", style->run_cnt);
	strbuf__puts(sb, ":\n\n");
}

/* Groups the digits before the point by threes. */
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
		/* A mean of counts is shown as a count. */
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
	/* Shares and ratios line up with two digits, rates with three. */
	n = snprintf(value, sizeof(value), m->digits == 2 ? "%7.2f%s" : "%8.3f", m->value,
		     m->percent ? "%" : " ");
	strbuf__printf(sb, " # %s %-*s", value, METRIC_WIDTH - 3 - n - 1, m->unit);
}

static void put_why(struct strbuf *sb, const char *why)
{
	strbuf__puts(sb, "\n                     ^ ");
	strbuf__put_escaped(sb, why, strlen(why));
}

static void row_line(struct strbuf *sb, const struct stat_style *style, const struct stat_row *row,
		     double time_s)
{
	if (style->intervals)
		strbuf__printf(sb, "%16.9f ", time_s);
	if (row->cpu >= 0)
		strbuf__printf(sb, "CPU%-7d ", row->cpu);
	if (row->thread) {
		strbuf__printf(sb, "%*s",
			       (int)(20 > strlen(row->thread) ? 20 - strlen(row->thread) : 0), "");
		strbuf__put_escaped(sb, row->thread, strlen(row->thread));
		strbuf__putc(sb, ' ');
	}
	put_count(sb, style, row);
	strbuf__printf(sb, " %-*s ", UNIT_WIDTH, row->unit);
	strbuf__printf(sb, "%-*s", NAME_WIDTH, row->name);
	put_metric(sb, &row->metric);
	if (row->spread_pct > 0)
		strbuf__printf(sb, "  ( +-%6.2f%% )", row->spread_pct);
	if (row->running_ns != row->enabled_ns)
		strbuf__printf(sb, "  (%.2f%%)",
			       100.0 * (double)row->running_ns / (double)row->enabled_ns);
	while (sb->len && sb->buf[sb->len - 1] == ' ')
		sb->len--;
	if (row->why)
		put_why(sb, row->why);
	strbuf__putc(sb, '\n');
}

/* Digits that the spread leaves meaningful, and two more. */
static int digits_of(double spread)
{
	return spread > 1 || spread <= 0 ? 2 : (int)ceil(-log10(spread)) + 2;
}

static void end(struct strbuf *sb, const struct stat_style *style, const struct stat_summary *sum)
{
	if (style->intervals)
		return;
	if (style->run_cnt > 1) {
		int digits = digits_of(sum->elapsed_spread_s);

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

const struct stat_format stat_text = { "text", begin, row_line, end };

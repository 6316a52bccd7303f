// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * -x and -j, with the columns and keys of perf stat. Numbers have the same digits in both, so that
 * both parse to the same values: perf's CSV is rounded to two.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sink/stat.h"

static const char *const state_words[] = {
	[STAT_COUNTED] = NULL,
	[STAT_NOT_COUNTED] = "<not counted>",
	[STAT_NOT_SUPPORTED] = "<not supported>",
};

static double percent(const struct stat_row *row)
{
	return row->enabled_ns ? 100.0 * (double)row->running_ns / (double)row->enabled_ns : 100.0;
}

static void csv_row(struct strbuf *sb, const struct stat_style *style, const struct stat_row *row,
		    double time_s)
{
	const char *sep = style->sep;

	if (style->intervals)
		strbuf__printf(sb, "%16.9f%s", time_s, sep);
	if (row->cpu >= 0)
		strbuf__printf(sb, "CPU%d%s", row->cpu, sep);
	if (row->thread) {
		strbuf__put_escaped(sb, row->thread, strlen(row->thread));
		strbuf__puts(sb, sep);
	}
	if (state_words[row->state])
		strbuf__puts(sb, state_words[row->state]);
	else
		strbuf__printf(sb, floor(row->value) == row->value ? "%.0f" : "%.6f", row->value);
	strbuf__printf(sb, "%s%s%s%s%s", sep, row->unit, sep, row->name, sep);
	if (style->run_cnt > 1)
		strbuf__printf(sb, "%.2f%%%s", row->spread_pct, sep);
	strbuf__printf(sb, "%llu%s%.2f%s", (unsigned long long)row->running_ns, sep, percent(row),
		       sep);
	if (row->metric.unit)
		strbuf__printf(sb, "%.6f%s%s", row->metric.value, sep, row->metric.unit);
	else
		strbuf__puts(sb, sep);
	strbuf__putc(sb, '\n');
}

static void put_key(struct strbuf *sb, const char *key, const char *value)
{
	strbuf__printf(sb, "\"%s\" : ", key);
	strbuf__put_json(sb, value, strlen(value));
	strbuf__puts(sb, ", ");
}

static void json_row(struct strbuf *sb, const struct stat_style *style, const struct stat_row *row,
		     double time_s)
{
	const struct stat_metric *m = &row->metric;
	char value[64];

	strbuf__putc(sb, '{');
	if (style->intervals)
		strbuf__printf(sb, "\"interval\" : %.9f, ", time_s);
	if (row->cpu >= 0)
		strbuf__printf(sb, "\"cpu\" : \"%d\", ", row->cpu);
	if (row->thread)
		put_key(sb, "thread", row->thread);
	snprintf(value, sizeof(value), "%.6f", row->value);
	put_key(sb, "counter-value", state_words[row->state] ? state_words[row->state] : value);
	put_key(sb, "unit", row->unit);
	put_key(sb, "event", row->name);
	if (style->run_cnt > 1)
		strbuf__printf(sb, "\"variance\" : %.2f, ", row->spread_pct);
	strbuf__printf(sb, "\"event-runtime\" : %llu, \"pcnt-running\" : %.2f, ",
		       (unsigned long long)row->running_ns, percent(row));
	if (row->why)
		put_key(sb, "why", row->why);
	strbuf__printf(sb, "\"metric-value\" : %.6f, \"metric-unit\" : \"%s\"}\n", m->value,
		       m->unit ? m->unit : "");
}

const struct stat_format stat_csv = { "csv", NULL, csv_row, NULL };
const struct stat_format stat_json = { "json", NULL, json_row, NULL };

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * -x and -j, with the columns and keys of perf stat. Numbers have the same digits in both formats,
 * so both parse to the same values: perf's CSV is rounded to two decimals.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stat/stat.h"

static const char *const state_words[] = {
	[STAT_COUNTED] = NULL,
	[STAT_NOT_COUNTED] = "<not counted>",
	[STAT_NOT_SUPPORTED] = "<not supported>",
};

static double percent(const struct stat_row *row)
{
	return row->enabled_ns ? 100.0 * (double)row->running_ns / (double)row->enabled_ns : 100.0;
}

/*
 * Puts the CPU, thread or the like of a row. A row of the whole, like a time, leaves the column
 * empty.
 */
static void csv_place(struct strbuf *sb, const struct stat_style *style, const struct stat_row *row,
		      double time_s)
{
	const char *sep = style->sep;

	if (style->intervals)
		strbuf__printf(sb, "%16.9f%s", time_s, sep);
	if (style->is_summary && style->names_summary)
		strbuf__printf(sb, "%16s%s", "summary", sep);
	if (row->cpu >= 0)
		strbuf__printf(sb, "CPU%d", row->cpu);
	if (row->thread)
		strbuf__put_escaped(sb, row->thread, strlen(row->thread));
	if (row->place)
		strbuf__printf(sb, "%s%s%zu", row->place, sep, row->place_cpu_cnt);
	else if (style->apart >= STAT_BY_NODE)
		strbuf__puts(sb, sep);
	if (style->apart != STAT_TOGETHER)
		strbuf__puts(sb, sep);
}

static void csv_cgroup(struct strbuf *sb, const struct stat_style *style,
		       const struct stat_row *row)
{
	if (row->cgroup)
		strbuf__put_escaped(sb, row->cgroup, strlen(row->cgroup));
	strbuf__puts(sb, style->sep);
}

/*
 * Puts a line for each metric of -M: columns of counts are empty; behind the name are the bounds,
 * if it has them.
 */
static void csv_named(struct strbuf *sb, const struct stat_style *style, const struct stat_row *row,
		      double time_s)
{
	const char *sep = style->sep;
	size_t i;

	for (i = 0; i < row->named_cnt; i++) {
		const struct stat_named *named = &row->named[i];

		csv_place(sb, style, row, time_s);
		strbuf__printf(sb, "%s%s%s", sep, sep, sep);
		if (style->has_cgroups)
			csv_cgroup(sb, style, row);
		strbuf__printf(sb, "%s%s%s", style->run_cnt > 1 ? sep : "", sep, sep);
		if (isfinite(named->metric.value))
			strbuf__printf(sb, "%.6f", named->metric.value);
		strbuf__printf(sb, "%s%s%s", sep, named->metric.unit,
			       *named->metric.unit ? "  " : "");
		strbuf__put_escaped(sb, named->name, strlen(named->name));
		if (named->has_bounds)
			strbuf__printf(sb, "%s%.6f%s%.6f", sep, named->lo, sep, named->hi);
		strbuf__putc(sb, '\n');
	}
}

static void csv_row(struct strbuf *sb, const struct stat_style *style, const struct stat_row *row,
		    double time_s)
{
	const char *sep = style->sep;

	csv_place(sb, style, row, time_s);
	if (state_words[row->state])
		strbuf__puts(sb, state_words[row->state]);
	else
		strbuf__printf(sb, floor(row->value) == row->value ? "%.0f" : "%.6f", row->value);
	strbuf__printf(sb, "%s%s%s%s%s", sep, row->unit, sep, row->name, sep);
	if (style->has_cgroups)
		csv_cgroup(sb, style, row);
	if (style->run_cnt > 1)
		strbuf__printf(sb, "%.2f%%%s", row->spread_pct, sep);
	strbuf__printf(sb, "%llu%s%.2f%s", (unsigned long long)row->running_ns, sep, percent(row),
		       sep);
	if (row->metric.unit)
		strbuf__printf(sb, "%.6f%s%s", row->metric.value, sep, row->metric.unit);
	else
		strbuf__puts(sb, sep);
	strbuf__putc(sb, '\n');
	csv_named(sb, style, row, time_s);
}

static void put_key(struct strbuf *sb, const char *key, const char *value)
{
	strbuf__printf(sb, "\"%s\" : ", key);
	strbuf__put_json(sb, value, strlen(value));
	strbuf__puts(sb, ", ");
}

static const char *const place_keys[] = {
	[STAT_BY_NODE] = "node", [STAT_BY_SOCKET] = "socket",   [STAT_BY_DIE] = "die",
	[STAT_BY_CORE] = "core", [STAT_BY_CLUSTER] = "cluster", [STAT_BY_CACHE] = "cache",
};

static void json_place(struct strbuf *sb, const struct stat_style *style,
		       const struct stat_row *row, double time_s)
{
	if (style->intervals)
		strbuf__printf(sb, "\"interval\" : %.9f, ", time_s);
	if (row->cpu >= 0)
		strbuf__printf(sb, "\"cpu\" : \"%d\", ", row->cpu);
	if (row->thread)
		put_key(sb, "thread", row->thread);
	if (row->place)
		strbuf__printf(sb, "\"%s\" : \"%s\", \"aggregate-number\" : %zu, ",
			       place_keys[style->apart], row->place, row->place_cpu_cnt);
}

/* JSON has no word for a number that is not defined. */
static void put_number(struct strbuf *sb, const char *key, double value)
{
	if (isfinite(value))
		strbuf__printf(sb, "\"%s\" : %.6f, ", key, value);
	else
		strbuf__printf(sb, "\"%s\" : null, ", key);
}

static void json_named(struct strbuf *sb, const struct stat_style *style,
		       const struct stat_row *row, double time_s)
{
	size_t i;

	for (i = 0; i < row->named_cnt; i++) {
		const struct stat_named *named = &row->named[i];

		strbuf__putc(sb, '{');
		json_place(sb, style, row, time_s);
		if (row->cgroup)
			put_key(sb, "cgroup", row->cgroup);
		put_key(sb, "metric", named->name);
		put_number(sb, "metric-value", named->metric.value);
		if (named->has_bounds) {
			put_number(sb, "metric-min", named->lo);
			put_number(sb, "metric-max", named->hi);
		}
		if (*named->why)
			put_key(sb, "why", named->why);
		strbuf__puts(sb, "\"metric-unit\" : ");
		strbuf__put_json(sb, named->metric.unit, strlen(named->metric.unit));
		strbuf__puts(sb, "}\n");
	}
}

static void json_row(struct strbuf *sb, const struct stat_style *style, const struct stat_row *row,
		     double time_s)
{
	const struct stat_metric *m = &row->metric;
	char value[64];

	strbuf__putc(sb, '{');
	json_place(sb, style, row, time_s);
	snprintf(value, sizeof(value), "%.6f", row->value);
	put_key(sb, "counter-value", state_words[row->state] ? state_words[row->state] : value);
	put_key(sb, "unit", row->unit);
	put_key(sb, "event", row->name);
	if (row->cgroup)
		put_key(sb, "cgroup", row->cgroup);
	if (style->run_cnt > 1)
		strbuf__printf(sb, "\"variance\" : %.2f, ", row->spread_pct);
	strbuf__printf(sb, "\"event-runtime\" : %llu, \"pcnt-running\" : %.2f, ",
		       (unsigned long long)row->running_ns, percent(row));
	if (row->why && style->with_reasons)
		put_key(sb, "why", row->why);
	strbuf__printf(sb, "\"metric-value\" : %.6f, \"metric-unit\" : \"%s\"}\n", m->value,
		       m->unit ? m->unit : "");
	json_named(sb, style, row, time_s);
}

static const char *const csv_heads[] = {
	[STAT_TOGETHER] = "",    [STAT_BY_CPU] = "cpu",         [STAT_BY_THREAD] = "comm-pid",
	[STAT_BY_NODE] = "node", [STAT_BY_SOCKET] = "socket",   [STAT_BY_DIE] = "die",
	[STAT_BY_CORE] = "core", [STAT_BY_CLUSTER] = "cluster", [STAT_BY_CACHE] = "cache",
};

static void csv_metric_head(struct strbuf *sb, const struct stat_style *style,
			    const struct stat_metric_line *line)
{
	const char *sep = style->sep;
	size_t i;

	if (style->intervals)
		strbuf__printf(sb, "time%s", sep);
	if (style->apart != STAT_TOGETHER)
		strbuf__printf(sb, "%s%s", csv_heads[style->apart], sep);
	if (style->apart >= STAT_BY_NODE)
		strbuf__printf(sb, "cpus%s", sep);
	for (i = 0; i < line->cnt; i++)
		strbuf__printf(sb, "%s%s", line->columns[i].name, sep);
	strbuf__putc(sb, '\n');
}

static void csv_metric_line(struct strbuf *sb, const struct stat_style *style,
			    const struct stat_metric_line *line, double time_s)
{
	size_t i;

	csv_place(sb, style, line->of, time_s);
	for (i = 0; i < line->cnt; i++) {
		if (line->metrics[i])
			strbuf__printf(sb, "%.6f", line->metrics[i]->value);
		strbuf__puts(sb, style->sep);
	}
	strbuf__putc(sb, '\n');
}

static void json_metric_line(struct strbuf *sb, const struct stat_style *style,
			     const struct stat_metric_line *line, double time_s)
{
	size_t i;

	strbuf__putc(sb, '{');
	json_place(sb, style, line->of, time_s);
	for (i = 0; i < line->cnt; i++) {
		strbuf__puts(sb, i ? ", " : "");
		strbuf__put_json(sb, line->columns[i].name, strlen(line->columns[i].name));
		if (line->metrics[i])
			strbuf__printf(sb, " : \"%.6f\"", line->metrics[i]->value);
		else
			strbuf__puts(sb, " : \"none\"");
	}
	strbuf__puts(sb, "}\n");
}

const struct stat_format stat_csv = {
	.name = "csv",
	.row = csv_row,
	.metric_head = csv_metric_head,
	.metric_line = csv_metric_line,
};
const struct stat_format stat_json = {
	.name = "json",
	.has_reasons = true,
	.row = json_row,
	.metric_line = json_metric_line,
};

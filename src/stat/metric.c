// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Metrics of stat: ratios of counts, such as instructions per cycle. */
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "event/event.h"
#include "stat/stat.h"

#define CACHE(id, op, result)                                                                      \
	PERF_TYPE_HW_CACHE, (PERF_COUNT_HW_CACHE_##id | PERF_COUNT_HW_CACHE_OP_##op << 8 |         \
			     PERF_COUNT_HW_CACHE_RESULT_##result << 16)
#define HW(id) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id

/* perf stat's ratios: the first event as a share of the second. */
static const struct ratio {
	uint32_t type;
	uint64_t config;
	uint32_t base_type;
	uint64_t base_config;
	bool percent;
	const char *unit;
} ratios[] = {
	{ HW(INSTRUCTIONS), HW(CPU_CYCLES), false, "insn per cycle" },
	{ HW(BRANCH_MISSES), HW(BRANCH_INSTRUCTIONS), true, "of all branches" },
	{ HW(CACHE_MISSES), HW(CACHE_REFERENCES), true, "of all cache refs" },
	{ HW(STALLED_CYCLES_FRONTEND), HW(CPU_CYCLES), true, "frontend cycles idle" },
	{ HW(STALLED_CYCLES_BACKEND), HW(CPU_CYCLES), true, "backend cycles idle" },
	{ CACHE(L1D, READ, MISS), CACHE(L1D, READ, ACCESS), true, "of all L1-dcache accesses" },
	{ CACHE(L1I, READ, MISS), CACHE(L1I, READ, ACCESS), true, "of all L1-icache accesses" },
	{ CACHE(LL, READ, MISS), CACHE(LL, READ, ACCESS), true, "of all LL-cache accesses" },
	{ CACHE(DTLB, READ, MISS), CACHE(DTLB, READ, ACCESS), true, "of all dTLB cache accesses" },
	{ CACHE(ITLB, READ, MISS), CACHE(ITLB, READ, ACCESS), true, "of all iTLB cache accesses" },
	{ CACHE(NODE, READ, MISS), CACHE(NODE, READ, ACCESS), true, "of all node accesses" },
};

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool stat_row__is_with(const struct stat_row *a, const struct stat_row *b)
{
	return a->cpu == b->cpu && is_same(a->thread, b->thread) && is_same(a->place, b->place) &&
	       is_same(a->cgroup, b->cgroup);
}

static bool have_same_modifiers(const struct event *a, const struct event *b)
{
	return a->exclude_user == b->exclude_user && a->exclude_kernel == b->exclude_kernel &&
	       a->exclude_hv == b->exclude_hv && a->exclude_host == b->exclude_host &&
	       a->exclude_guest == b->exclude_guest;
}

/* A generic event of one of several core PMUs has the PMU's number in the upper half (5.13). */
static uint64_t generic_config(const struct event *ev)
{
	return ev->kind == EVENT_HARDWARE && ev->pmu ? (uint32_t)ev->config : ev->config;
}

/*
 * Finds the row that `row` is divided by, preferably in its own group; NULL: there is none, or it
 * is 0.
 */
static const struct stat_row *find_base(const struct stat_row *rows, size_t cnt,
					const struct stat_row *row, uint32_t type, uint64_t config)
{
	const struct stat_row *found = NULL;
	size_t i;

	for (i = 0; i < cnt; i++) {
		const struct event *ev = rows[i].ev;

		if (ev->type != type || generic_config(ev) != config ||
		    !is_same(ev->pmu, row->ev->pmu) || rows[i].state != STAT_COUNTED ||
		    !stat_row__is_with(&rows[i], row) || !have_same_modifiers(ev, row->ev))
			continue;
		if (!found || (ev->group >= 0 && ev->group == row->ev->group))
			found = &rows[i];
	}
	return found && found->value > 0 ? found : NULL;
}

/* Returns the nanoseconds of the clock event of the same CPU or thread; 0: there is none. */
static double clock_ns(const struct stat_row *rows, size_t cnt, const struct stat_row *row)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		if (event__is_clock(rows[i].ev) && rows[i].state == STAT_COUNTED &&
		    stat_row__is_with(&rows[i], row))
			return rows[i].value * 1e6;
	return 0;
}

static struct stat_metric per_second(double value, double ns)
{
	double rate = value * 1e9 / ns;

	if (rate >= 1e9)
		return (struct stat_metric){ rate / 1e9, "G/sec", 3, false };
	if (rate >= 1e6)
		return (struct stat_metric){ rate / 1e6, "M/sec", 3, false };
	if (rate >= 1e3)
		return (struct stat_metric){ rate / 1e3, "K/sec", 3, false };
	return (struct stat_metric){ rate, "/sec", 3, false };
}

/* NULL: the event is no share of another. */
static const struct ratio *ratio_of(const struct event *ev)
{
	size_t i;

	for (i = 0; i < sizeof(ratios) / sizeof(ratios[0]); i++)
		if (ev->type == ratios[i].type && generic_config(ev) == ratios[i].config)
			return &ratios[i];
	return NULL;
}

static bool is_cycles(const struct event *ev)
{
	return ev->type == PERF_TYPE_HARDWARE && generic_config(ev) == PERF_COUNT_HW_CPU_CYCLES;
}

static struct stat_metric derive(const struct stat_row *rows, size_t cnt,
				 const struct stat_row *row, double wall_ns)
{
	const struct stat_metric none = { 0 };
	const struct ratio *r = ratio_of(row->ev);
	const struct stat_row *base;
	double ns;

	if (row->state != STAT_COUNTED || row->ev->kind == EVENT_TOOL)
		return none;
	if (event__is_clock(row->ev))
		return wall_ns > 0 ? (struct stat_metric){ row->value * 1e6 / wall_ns,
							   "CPUs utilized", 3, false }
				   : none;
	base = r ? find_base(rows, cnt, row, r->base_type, r->base_config) : NULL;
	if (base)
		return (struct stat_metric){ row->value / base->value * (r->percent ? 100 : 1),
					     r->unit, 2, r->percent };
	ns = clock_ns(rows, cnt, row);
	if (ns <= 0)
		return none;
	if (is_cycles(row->ev))
		return (struct stat_metric){ row->value / ns, "GHz", 3, false };
	/* A value with a unit of its own gets no rate. */
	return *row->unit ? none : per_second(row->value, ns);
}

void stat_metric__derive(struct stat_row *rows, size_t cnt, double wall_ns)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		rows[i].metric = derive(rows, cnt, &rows[i], wall_ns);
}

/* Checks whether there is an event that `ev` can be divided by. */
static bool has_base(const struct stat_row *rows, size_t cnt, const struct event *ev,
		     const struct ratio *r)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		if (rows[i].ev->type == r->base_type &&
		    generic_config(rows[i].ev) == r->base_config &&
		    is_same(rows[i].ev->pmu, ev->pmu) && have_same_modifiers(rows[i].ev, ev))
			return true;
	return false;
}

static bool has_clock(const struct stat_row *rows, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		if (event__is_clock(rows[i].ev))
			return true;
	return false;
}

static bool is_known(const struct stat_metric_column *columns, size_t cnt, const struct event *ev)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		if (columns[i].ev == ev)
			return true;
	return false;
}

size_t stat_metric__columns(const struct stat_row *rows, size_t cnt,
			    struct stat_metric_column *columns, size_t max)
{
	size_t n = 0, i;

	for (i = 0; i < cnt && n < max; i++) {
		const struct event *ev = rows[i].ev;
		const struct ratio *r = ratio_of(ev);
		struct stat_metric_column *col = &columns[n];
		bool is_share;

		if (is_known(columns, n, ev))
			continue;
		*col = (struct stat_metric_column){ .ev = ev };
		if (is_cycles(ev) && has_clock(rows, cnt)) {
			col->unit = "GHz";
		} else if (r && has_base(rows, cnt, ev, r)) {
			col->unit = r->unit;
		} else {
			continue;
		}
		/* "of all branches" alone does not name the count. */
		is_share = !strncmp(col->unit, "of all", 6);
		snprintf(col->name, sizeof(col->name), "%s%s%s", is_share ? rows[i].name : "",
			 is_share ? " " : "", col->unit);
		n++;
	}
	return n;
}

static const struct stat_metric *find_named(const struct stat_row *row, const char *name)
{
	size_t i;

	for (i = 0; i < row->named_cnt; i++)
		if (!strcmp(row->named[i].name, name))
			return isnan(row->named[i].metric.value) ? NULL : &row->named[i].metric;
	return NULL;
}

static const struct stat_metric *metric_of(const struct stat_row *rows, size_t cnt,
					   const struct stat_row *of,
					   const struct stat_metric_column *column)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		if (rows[i].ev == column->ev && stat_row__is_with(&rows[i], of))
			return column->named ? find_named(&rows[i], column->named)
			       : is_same(rows[i].metric.unit, column->unit) ? &rows[i].metric
									    : NULL;
	return NULL;
}

/*
 * Returns whether the row is the first one of a CPU, thread or place that can have metrics, and so
 * prints its line.
 */
static bool is_first(const struct stat_row *rows, size_t at)
{
	size_t i;

	/* Times are of the whole, and have rows of their own beside CPUs, threads and places. */
	if (rows[at].ev->kind == EVENT_TOOL)
		return false;
	for (i = 0; i < at; i++)
		if (rows[i].ev->kind != EVENT_TOOL && stat_row__is_with(&rows[i], &rows[at]))
			return false;
	return true;
}

static bool has_column(const struct stat_metric_column *columns, size_t cnt, const char *named)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		if (!strcmp(columns[i].named, named))
			return true;
	return false;
}

/* Fills the columns of the metrics of -M that the rows have. */
static size_t named_columns(const struct stat_row *rows, size_t cnt,
			    struct stat_metric_column *columns, size_t max)
{
	size_t n = 0, i, j;

	for (i = 0; i < cnt; i++)
		for (j = 0; j < rows[i].named_cnt && n < max; j++) {
			const struct stat_named *named = &rows[i].named[j];
			const char *unit = named->metric.unit;

			if (has_column(columns, n, named->name))
				continue;
			columns[n] = (struct stat_metric_column){ .ev = rows[i].ev,
								  .unit = unit,
								  .named = named->name };
			snprintf(columns[n].name, sizeof(columns[n].name), "%s%s%s", unit,
				 *unit ? "  " : "", named->name);
			n++;
		}
	return n;
}

void stat_metric__print(struct strbuf *sb, const struct stat_format *format,
			const struct stat_style *style, const struct stat_row *rows, size_t cnt,
			double time_s, bool header)
{
	struct stat_metric_line line;
	size_t i, j;

	line.of = NULL;
	line.cnt = named_columns(rows, cnt, line.columns, STAT_METRIC_COLUMNS);
	line.cnt += stat_metric__columns(rows, cnt, line.columns + line.cnt,
					 STAT_METRIC_COLUMNS - line.cnt);
	if (header && format->metric_head)
		format->metric_head(sb, style, &line);
	for (i = 0; i < cnt; i++) {
		if (!is_first(rows, i))
			continue;
		line.of = &rows[i];
		for (j = 0; j < line.cnt; j++)
			line.metrics[j] = metric_of(rows, cnt, &rows[i], &line.columns[j]);
		format->metric_line(sb, style, &line, time_s);
	}
}

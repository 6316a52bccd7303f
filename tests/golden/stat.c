// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * stat: prints counts made in memory by every format of stat/stat.h, in every way that counts are
 * taken apart, into ./out, one file a format: stat[-VARIANT].FORMAT. tests/golden/sinks.sh compares
 * them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "event/event.h"
#include "stat/stat.h"

static struct event task_clock = { .kind = EVENT_SOFTWARE,
				   .type = PERF_TYPE_SOFTWARE,
				   .config = PERF_COUNT_SW_TASK_CLOCK,
				   .group = -1 };
static struct event cycles = { .kind = EVENT_HARDWARE,
			       .type = PERF_TYPE_HARDWARE,
			       .config = PERF_COUNT_HW_CPU_CYCLES,
			       .group = -1 };
static struct event instructions = { .kind = EVENT_HARDWARE,
				     .type = PERF_TYPE_HARDWARE,
				     .config = PERF_COUNT_HW_INSTRUCTIONS,
				     .group = -1 };
static struct event branches = { .kind = EVENT_HARDWARE,
				 .type = PERF_TYPE_HARDWARE,
				 .config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
				 .group = -1 };
static struct event misses = { .kind = EVENT_HARDWARE,
			       .type = PERF_TYPE_HARDWARE,
			       .config = PERF_COUNT_HW_BRANCH_MISSES,
			       .group = -1 };
static struct event joules = { .kind = EVENT_PMU, .type = 42, .group = -1 };

#define ROWS 6

/* Metrics of -M: with bounds, with a unit, and without a value. */
static const struct stat_named named[] = {
	{ .name = "ipc", .metric = { .value = 1.25, .unit = "", .digits = 2 } },
	{ .name = "tma_retiring",
	  .metric = { .value = 42.125, .unit = "%", .digits = 1 },
	  .has_bounds = true,
	  .lo = 40,
	  .hi = 44.5,
	  .why = "between 40.0 and 44.5: its events took turns and counted 50.00% of the time" },
	{ .name = "branch_mpki",
	  .metric = { .value = NAN, .unit = "", .digits = 2 },
	  .why = "branch-misses did not count" },
};

/* The rows are counted whole, counted in part, counted in a unit, not counted, and refused. */
static void fill(struct stat_row rows[ROWS], enum aggr_mode apart, unsigned int place)
{
	static const char *const threads[] = { "worker-4243", "a b-4244" };
	static const char *const places[] = { "S0-D0-C1", "S1-D0-C0" };
	static const struct stat_row all[ROWS] = {
		{ .ev = &task_clock,
		  .name = "task-clock",
		  .unit = "msec",
		  .value = 1234.56,
		  .enabled_ns = 2000000000,
		  .running_ns = 2000000000 },
		{ .ev = &cycles,
		  .name = "cycles:u",
		  .unit = "",
		  .value = 9876543210,
		  .enabled_ns = 2000000000,
		  .running_ns = 2000000000,
		  .spread_pct = 1.25 },
		{ .ev = &instructions,
		  .name = "instructions",
		  .unit = "",
		  .value = 12345678901,
		  .enabled_ns = 2000000000,
		  .running_ns = 500000000,
		  .why = "6 events take turns on 4 counters" },
		{ .ev = &branches, .name = "branches", .unit = "", .state = STAT_NOT_SUPPORTED },
		{ .ev = &misses,
		  .name = "branch-misses",
		  .unit = "",
		  .state = STAT_NOT_COUNTED,
		  .enabled_ns = 2000000000,
		  .why = "the group does not fit" },
		{ .ev = &joules,
		  .name = "power/energy-pkg/",
		  .unit = "Joules",
		  .value = 41.5,
		  .enabled_ns = 2000000000,
		  .running_ns = 2000000000 },
	};
	size_t i;

	memcpy(rows, all, sizeof(all));
	/* One has a ratio beside it, the others share a row without one. */
	if (apart == STAT_BY_CACHE || apart == STAT_BY_CLUSTER) {
		rows[2].named = named;
		rows[2].named_cnt = 1;
		rows[5].named = named + 1;
		rows[5].named_cnt = 2;
		for (i = 0; i < ROWS; i++)
			rows[i].cgroup = apart == STAT_BY_CLUSTER ? "web/a b" : NULL;
	}
	for (i = 0; i < ROWS; i++) {
		rows[i].cpu = apart == STAT_BY_CPU ? (int)place * 3 : -1;
		rows[i].value *= 1 + place;
		if (apart == STAT_BY_THREAD)
			rows[i].thread = threads[place];
		if (apart >= STAT_BY_NODE) {
			rows[i].place = apart >= STAT_BY_CORE ? places[place] : places[place] + 6;
			rows[i].place_cpu_cnt = 2 + place;
		}
	}
}

static void print(struct strbuf *sb, const struct stat_format *f, const struct stat_style *style,
		  const struct stat_summary *sum, double time_s)
{
	struct stat_row rows[2 * ROWS];
	size_t cnt = style->apart == STAT_TOGETHER ? ROWS : 2 * ROWS, i;

	fill(rows, style->apart, 0);
	fill(rows + ROWS, style->apart, 1);
	stat_metric__derive(rows, cnt, sum->elapsed_s * 1e9);
	if (style->metric_only)
		stat_metric__print(sb, f, style, rows, cnt, time_s, true);
	for (i = 0; i < cnt && !style->metric_only; i++)
		f->row(sb, style, &rows[i], time_s);
}

static void print_all(const char *variant, const struct stat_style *style, bool is_cmd)
{
	const struct stat_summary sum = { .target_text =
						  is_cmd ? "'./worker -x'" : "process id '42'",
					  .done_cnt = style->run_cnt,
					  .elapsed_s = 2.000123456,
					  .elapsed_spread_s = 0.25,
					  .has_usage = is_cmd,
					  .user_s = 1.5,
					  .system_s = 0.125 };
	const struct stat_format *const *f;
	struct strbuf sb = STRBUF_INIT;
	char path[128];
	FILE *file;

	for (f = stat_formats; *f; f++) {
		strbuf__reset(&sb);
		if ((*f)->begin)
			(*f)->begin(&sb, style, &sum);
		print(&sb, *f, style, &sum, 1.000456789);
		if (style->intervals)
			print(&sb, *f, style, &sum, 2.000123456);
		if ((*f)->end)
			(*f)->end(&sb, style, &sum);
		snprintf(path, sizeof(path), "out/stat%s.%s", variant, (*f)->name);
		file = fopen(path, "we");
		if (!file || fwrite(sb.buf, 1, sb.len, file) != sb.len || fclose(file)) {
			perror(path);
			exit(1);
		}
	}
	strbuf__free(&sb);
}

int main(void)
{
	const struct stat_style plain = {
		.sep = ",", .thousands = ",", .run_cnt = 1, .with_reasons = true
	};
	struct stat_style style = plain;

	print_all("", &style, true);
	style.run_cnt = 3;
	style.sep = ";";
	print_all("-runs", &style, true);
	style = plain;
	style.intervals = true;
	style.thousands = "";
	print_all("-interval", &style, false);
	style.metric_only = true;
	style.apart = STAT_BY_CORE;
	print_all("-interval-metric", &style, false);
	style = plain;
	style.metric_only = true;
	print_all("-metric", &style, true);
	style = plain;
	style.apart = STAT_BY_CPU;
	print_all("-cpu", &style, false);
	style.apart = STAT_BY_THREAD;
	print_all("-thread", &style, false);
	style.apart = STAT_BY_SOCKET;
	print_all("-socket", &style, false);
	style.apart = STAT_BY_CORE;
	print_all("-core", &style, false);
	style.apart = STAT_BY_CACHE;
	print_all("-named", &style, false);
	style.metric_only = true;
	print_all("-named-metric", &style, false);
	style.metric_only = false;
	style.apart = STAT_BY_CLUSTER;
	style.has_cgroups = true;
	style.intervals = true;
	print_all("-named-cgroup", &style, false);
	return 0;
}

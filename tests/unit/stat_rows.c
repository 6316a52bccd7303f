// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Rows of bpfperf stat: what is derived from counts, and the three formats. */
#include <linux/perf_event.h>

#include "stat/table.h"
#include "event/event.h"
#include "stat/stat.h"
#include "tap.h"

static struct event task_clock = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK };
static struct event cycles = { .type = PERF_TYPE_HARDWARE,
			       .config = PERF_COUNT_HW_CPU_CYCLES,
			       .group = -1 };
static struct event instructions = { .type = PERF_TYPE_HARDWARE,
				     .config = PERF_COUNT_HW_INSTRUCTIONS,
				     .group = -1 };
static struct event cycles_u = { .type = PERF_TYPE_HARDWARE,
				 .config = PERF_COUNT_HW_CPU_CYCLES,
				 .exclude_kernel = true,
				 .group = -1 };
static struct event misses = { .type = PERF_TYPE_HARDWARE,
			       .config = PERF_COUNT_HW_BRANCH_MISSES,
			       .group = -1 };
static struct event branches = { .type = PERF_TYPE_HARDWARE,
				 .config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
				 .group = -1 };
static struct event faults = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS };
static struct event joules = { .kind = EVENT_PMU, .type = 42 };
static struct event duration = { .kind = EVENT_TOOL, .type = EVENT_TYPE_TOOL };

static struct stat_row row(const struct event *ev, double value)
{
	return (struct stat_row){ .ev = ev,
				  .name = "e",
				  .unit = "",
				  .value = value,
				  .cpu = -1,
				  .enabled_ns = 1,
				  .running_ns = 1 };
}

static void is_metric(const struct stat_row *r, double value, const char *unit)
{
	bool same = r->metric.unit && unit ? !strcmp(r->metric.unit, unit) : r->metric.unit == unit;

	ok(same && r->metric.value > value - 1e-9 && r->metric.value < value + 1e-9, "%f %s", value,
	   unit ? unit : "(nothing)");
	if (!same)
		diag("got %f %s", r->metric.value, r->metric.unit ? r->metric.unit : "(nothing)");
}

static void test_metrics(void)
{
	struct stat_row rows[] = {
		row(&faults, 5000),      row(&task_clock, 250),  row(&cycles, 5e8),
		row(&instructions, 1e9), row(&misses, 30),       row(&branches, 4000),
		row(&joules, 7),         row(&duration, 123456), row(&cycles_u, 1e8),
	};
	size_t cnt = sizeof(rows) / sizeof(rows[0]);

	rows[1].unit = "msec";
	rows[6].unit = "Joules";
	stat_metric__derive(rows, cnt, 5e8);
	is_metric(&rows[0], 20, "K/sec");
	is_metric(&rows[1], 0.5, "CPUs utilized");
	is_metric(&rows[2], 2, "GHz");
	is_metric(&rows[3], 2, "insn per cycle");
	is_metric(&rows[4], 0.75, "of all branches");
	is_metric(&rows[5], 16, "K/sec");
	is_metric(&rows[6], 0, NULL);
	is_metric(&rows[7], 0, NULL);
	is_metric(&rows[8], 0.4, "GHz");
	rows[2].state = STAT_NOT_COUNTED;
	stat_metric__derive(rows, cnt, 5e8);
	is_metric(&rows[2], 0, NULL);
	/* Only cycles of user space are left, of which all instructions are no share. */
	is_metric(&rows[3], 4, "G/sec");
}

static void test_places(void)
{
	struct stat_row rows[] = { row(&cycles, 100), row(&cycles, 400), row(&instructions, 200),
				   row(&instructions, 200), row(&instructions, 200) };

	rows[0].cpu = rows[2].cpu = 0;
	rows[1].cpu = rows[3].cpu = 1;
	rows[4].cpu = 2;
	stat_metric__derive(rows, 5, 1e9);
	is_metric(&rows[2], 2, "insn per cycle");
	is_metric(&rows[3], 0.5, "insn per cycle");
	is_metric(&rows[4], 0, NULL);
	rows[0].cpu = rows[1].cpu = rows[2].cpu = -1;
	rows[0].thread = rows[2].thread = "a-1";
	rows[1].thread = "b-2";
	stat_metric__derive(rows, 5, 1e9);
	is_metric(&rows[2], 2, "insn per cycle");
}

static void is_line(const struct stat_format *format, const struct stat_style *style,
		    const struct stat_row *r, const char *want)
{
	struct strbuf sb = STRBUF_INIT;

	format->row(&sb, style, r, 1.25);
	is_str(strbuf__cstr(&sb), want, "%s", format->name);
	strbuf__free(&sb);
}

static void test_formats(void)
{
	struct stat_style plain = { .sep = ",", .thousands = "", .run_cnt = 1 };
	struct stat_style all = {
		.sep = ";", .thousands = "'", .run_cnt = 2, .intervals = true, .apart = STAT_BY_CPU
	};
	struct stat_row r = row(&faults, 1234567);

	r.name = "page-faults";
	r.metric = (struct stat_metric){ 20.5, "K/sec", 3, false };
	r.enabled_ns = r.running_ns = 1000;
	is_line(&stat_text, &plain, &r,
		"           1234567      page-faults                      #   20.500 K/sec\n");
	is_line(&stat_csv, &plain, &r, "1234567,,page-faults,1000,100.00,20.500000,K/sec\n");
	is_line(&stat_json, &plain, &r,
		"{\"counter-value\" : \"1234567.000000\", \"unit\" : \"\", \"event\" : "
		"\"page-faults\", \"event-runtime\" : 1000, \"pcnt-running\" : 100.00, "
		"\"metric-value\" : 20.500000, \"metric-unit\" : \"K/sec\"}\n");
	r.cpu = 3;
	r.spread_pct = 1.5;
	r.running_ns = 250;
	r.why = "it \"waits\"";
	is_line(&stat_text, &all, &r,
		"     1.250000000 CPU3                1'234'567      page-faults                      "
		"#   20.500 K/sec                    ( +-  1.50% )  (25.00%)\n"
		"                     ^ it \"waits\"\n");
	is_line(&stat_csv, &all, &r,
		"     1.250000000;CPU3;1234567;;page-faults;1.50%;250;25.00;20.500000;K/sec\n");
	is_line(&stat_json, &all, &r,
		"{\"interval\" : 1.250000000, \"cpu\" : \"3\", \"counter-value\" : "
		"\"1234567.000000\", \"unit\" : \"\", \"event\" : \"page-faults\", \"variance\" : "
		"1.50, \"event-runtime\" : 250, \"pcnt-running\" : 25.00, \"metric-value\" : "
		"20.500000, \"metric-unit\" : \"K/sec\"}\n");
	all.with_reasons = true;
	is_line(&stat_json, &all, &r,
		"{\"interval\" : 1.250000000, \"cpu\" : \"3\", \"counter-value\" : "
		"\"1234567.000000\", \"unit\" : \"\", \"event\" : \"page-faults\", \"variance\" : "
		"1.50, \"event-runtime\" : 250, \"pcnt-running\" : 25.00, \"why\" : \"it "
		"\\\"waits\\\"\", \"metric-value\" : 20.500000, \"metric-unit\" : \"K/sec\"}\n");
	r = row(&task_clock, 0.25);
	r.name = "task-clock";
	r.unit = "msec";
	r.thread = "sh-7";
	plain.apart = STAT_BY_THREAD;
	is_line(&stat_text, &plain, &r,
		"                sh-7               0.25 msec task-clock\n");
	is_line(&stat_csv, &plain, &r, "sh-7,0.250000,msec,task-clock,1,100.00,,\n");
	r.state = STAT_NOT_COUNTED;
	r.running_ns = 0;
	is_line(&stat_csv, &plain, &r, "sh-7,<not counted>,msec,task-clock,0,0.00,,\n");
	r.state = STAT_NOT_SUPPORTED;
	r.thread = NULL;
	plain.apart = STAT_TOGETHER;
	is_line(&stat_text, &plain, &r,
		"   <not supported> msec task-clock                                  "
		"                         (0.00%)\n");
}

/*
 * Columns that are perf stat's: where a row counts, and blank or empty where it is a time of all.
 */
static void test_apart(void)
{
	struct stat_style core = {
		.sep = ",", .thousands = "", .run_cnt = 1, .apart = STAT_BY_CORE
	};
	struct stat_style cpu = { .sep = ",", .thousands = "", .run_cnt = 1, .apart = STAT_BY_CPU };
	struct stat_row r = row(&faults, 7), all = row(&duration, 123);

	r.place = "S0-D0-C11";
	r.place_cpu_cnt = 2;
	is_line(&stat_text, &core, &r, "S0-D0-C11          2                  7      e\n");
	is_line(&stat_csv, &core, &r, "S0-D0-C11,2,7,,e,1,100.00,,\n");
	is_line(&stat_json, &core, &r,
		"{\"core\" : \"S0-D0-C11\", \"aggregate-number\" : 2, \"counter-value\" : "
		"\"7.000000\", \"unit\" : \"\", \"event\" : \"e\", \"event-runtime\" : 1, "
		"\"pcnt-running\" : 100.00, \"metric-value\" : 0.000000, \"metric-unit\" : "
		"\"\"}\n");
	is_line(&stat_text, &core, &all, "                                    123      e\n");
	is_line(&stat_csv, &core, &all, ",,123,,e,1,100.00,,\n");
	is_line(&stat_csv, &cpu, &all, ",123,,e,1,100.00,,\n");
}

static void is_metrics(const struct stat_format *format, const struct stat_style *style,
		       const struct stat_row *rows, size_t cnt, const char *want)
{
	struct strbuf sb = STRBUF_INIT;

	stat_metric__print(&sb, format, style, rows, cnt, 1.25, true);
	is_str(strbuf__cstr(&sb), want, "%s, metrics alone", format->name);
	strbuf__free(&sb);
}

static void test_metric_only(void)
{
	struct stat_style style = {
		.sep = ",", .thousands = "", .run_cnt = 1, .metric_only = true
	};
	struct stat_row rows[] = {
		row(&task_clock, 250), row(&cycles, 5e8), row(&instructions, 1e9), row(&misses, 30),
		row(&branches, 4000),  row(&faults, 9),   row(&duration, 123456),
	};
	size_t cnt = sizeof(rows) / sizeof(rows[0]), i;
	struct stat_row by_cpu[10];

	rows[3].name = "branch-misses";
	stat_metric__derive(rows, cnt, 5e8);
	is_metrics(&stat_text, &style, rows, cnt,
		   "                 GHz       insn per cycle branch-misses of all branches\n"
		   "              2.000                 2.00                          0.75%\n");
	is_metrics(&stat_csv, &style, rows, cnt,
		   "GHz,insn per cycle,branch-misses of all branches,\n"
		   "2.000000,2.000000,0.750000,\n");
	is_metrics(&stat_json, &style, rows, cnt,
		   "{\"GHz\" : \"2.000000\", \"insn per cycle\" : \"2.000000\", "
		   "\"branch-misses of all branches\" : \"0.750000\"}\n");
	/* An event that could not be counted leaves its column empty. */
	rows[1].state = STAT_NOT_SUPPORTED;
	stat_metric__derive(rows, cnt, 5e8);
	is_metrics(&stat_csv, &style, rows, cnt,
		   "GHz,insn per cycle,branch-misses of all branches,\n,,0.750000,\n");
	is_metrics(&stat_json, &style, rows, cnt,
		   "{\"GHz\" : \"none\", \"insn per cycle\" : \"none\", "
		   "\"branch-misses of all branches\" : \"0.750000\"}\n");

	/* By event, as -A has them: a line for each CPU all the same. */
	rows[1].state = STAT_COUNTED;
	for (i = 0; i < 10; i++) {
		by_cpu[i] = rows[i / 2];
		by_cpu[i].cpu = (int)(i % 2);
	}
	by_cpu[3].value *= 2;
	style.apart = STAT_BY_CPU;
	stat_metric__derive(by_cpu, 10, 5e8);
	is_metrics(&stat_csv, &style, by_cpu, 10,
		   "cpu,GHz,insn per cycle,branch-misses of all branches,\n"
		   "CPU0,2.000000,2.000000,0.750000,\nCPU1,4.000000,1.000000,0.750000,\n");
	is_metrics(&stat_json, &style, by_cpu, 10,
		   "{\"cpu\" : \"0\", \"GHz\" : \"2.000000\", \"insn per cycle\" : \"2.000000\", "
		   "\"branch-misses of all branches\" : \"0.750000\"}\n"
		   "{\"cpu\" : \"1\", \"GHz\" : \"4.000000\", \"insn per cycle\" : \"1.000000\", "
		   "\"branch-misses of all branches\" : \"0.750000\"}\n");
}

static void test_mean(void)
{
	struct stat_mean m = { 0 };

	ok(stat_mean__spread(&m) == 0, "nothing has no spread");
	stat_mean__add(&m, 2);
	ok(stat_mean__spread(&m) == 0, "one value has none");
	stat_mean__add(&m, 4);
	stat_mean__add(&m, 6);
	/* Variance 4, of the mean 4/3. */
	ok(m.mean == 4 && stat_mean__spread(&m) > 1.1546 && stat_mean__spread(&m) < 1.1548,
	   "2 4 6: %f +- %f", m.mean, stat_mean__spread(&m));
}

int main(void)
{
	test_metrics();
	test_places();
	test_formats();
	test_apart();
	test_metric_only();
	test_mean();
	return done_testing();
}

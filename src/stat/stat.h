/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The output of bpfperf stat: rows of counts, in the columns of perf stat, as text, CSV (-x) or
 * JSON (-j).
 */
#ifndef BPFPERF_STAT_STAT_H
#define BPFPERF_STAT_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

struct event;

enum stat_state {
	STAT_COUNTED,
	STAT_NOT_COUNTED, /* it was enabled, but never ran */
	STAT_NOT_SUPPORTED, /* the kernel refused it */
};

/* The unit of aggregation: each CPU, thread, socket and so on has its own rows. */
enum aggr_mode {
	STAT_TOGETHER,
	STAT_BY_CPU,
	STAT_BY_THREAD,
	/* Modes that aggregate several CPUs: */
	STAT_BY_NODE,
	STAT_BY_SOCKET,
	STAT_BY_DIE,
	STAT_BY_CORE,
	STAT_BY_CLUSTER,
	STAT_BY_CACHE,
};

/* A figure derived from a count and others, like "0.97 insn per cycle". */
struct stat_metric {
	double value;
	const char *unit; /* static storage; NULL: there is no metric */
	int digits; /* decimals in text */
	bool percent;
};

/* A metric by its name, of -M and --topdown; printed at the row of its first event. */
struct stat_named {
	const char *name;
	struct stat_metric metric; /* unit: "%", "MB/s", or "" */
	bool has_bounds; /* its events took turns: the true value is within lo and hi */
	double lo, hi;
	/* why it has no value, or no bounds, or the part of the time that was counted; "" */
	char why[256];
	bool *is_logged; /* the reason has been logged; owned by the metric_set */
};

struct stat_row {
	const struct event *ev;
	const char *name; /* the printed name; owned by the caller */
	const char *unit; /* "msec", "Joules", "" */
	enum stat_state state;
	double value; /* in this unit, extrapolated unless raw values are requested */
	double spread_pct; /* for several runs: standard deviation of the mean; 0: a single run */
	uint64_t enabled_ns, running_ns; /* summed up over the row's counters */
	int cpu; /* -1: not a single CPU */
	const char *thread; /* "comm-tid", or NULL: not a single thread; owned by the caller */
	const char *cgroup; /* path of its own control group, or NULL; owned by the caller */
	const char *place; /* "S0-D0-C1", or NULL: not such a place; owned by the caller */
	size_t place_cpu_cnt; /* number of CPUs that count there */
	struct stat_metric metric;
	const struct stat_named *named; /* named_cnt metrics; owned by the metric_set */
	size_t named_cnt;
	double counted; /* like value, but not extrapolated */
	/* a sentence on why it did not count as requested, or NULL; owned by the caller */
	const char *why;
};

/* The style of the output. */
struct stat_style {
	const char *sep; /* CSV: separator of columns */
	const char *thousands; /* text: separator of groups of three digits, or "" */
	bool intervals; /* each row has a time */
	bool is_summary, names_summary; /* rows of all intervals; CSV: the word for the time */
	bool metric_only;
	bool has_cgroups; /* events have control groups of their own: a column */
	bool with_reasons; /* JSON: a key more than perf has, why a count is not as requested */
	unsigned int run_cnt;
	enum aggr_mode apart;
};

/* The text around the rows. */
struct stat_summary {
	const char *target_text; /* "'make'", "'system wide'", "process id '42'": for the heading */
	/* number of completed runs: fewer than requested if they were interrupted */
	unsigned int done_cnt;
	double elapsed_s, elapsed_spread_s; /* mean, and standard deviation of the mean */
	const double *runs_s; /* --table: the time of each of done_cnt runs; NULL: no table */
	bool has_usage; /* CMD's resource usage is known: */
	double user_s, system_s;
};

/* The columns of --metric-only. */
struct stat_metric_column {
	const struct event *ev; /* the event of the metric */
	char name[128]; /* "insn per cycle", "branch-misses of all branches" */
	const char *unit; /* unit of the rows' metrics; metrics of another unit have no column */
	const char *named; /* name of a metric of -M; NULL: a ratio */
};

#define STAT_METRIC_COLUMNS 64

/* The metrics of one CPU, thread or place, by column. */
struct stat_metric_line {
	const struct stat_row *of; /* first row of the CPU, thread or place; NULL in the heading */
	size_t cnt;
	struct stat_metric_column columns[STAT_METRIC_COLUMNS];
	const struct stat_metric *metrics[STAT_METRIC_COLUMNS]; /* NULL: could not be derived */
};

struct stat_format {
	const char *name;
	/* rows can show why they did not count as requested; else it is logged */
	bool has_reasons;
	/* for readers: headings are repeated, a reason is not, in the rows of intervals */
	bool is_text;
	/* Each function may be NULL. time_s: since the beginning, if rows have a time. */
	void (*begin)(struct strbuf *sb, const struct stat_style *style,
		      const struct stat_summary *sum);
	void (*row)(struct strbuf *sb, const struct stat_style *style, const struct stat_row *row,
		    double time_s);
	/* In place of rows: a line of metrics for each place, and the headings above. */
	void (*metric_head)(struct strbuf *sb, const struct stat_style *style,
			    const struct stat_metric_line *line);
	void (*metric_line)(struct strbuf *sb, const struct stat_style *style,
			    const struct stat_metric_line *line, double time_s);
	void (*end)(struct strbuf *sb, const struct stat_style *style,
		    const struct stat_summary *sum);
};

extern const struct stat_format stat_text, stat_csv, stat_json;
/* All formats; NULL-terminated. */
extern const struct stat_format *const stat_formats[];
/* The format with this name, which must exist. */
const struct stat_format *stat_format__find(const char *name);

/*
 * Derives the metrics of rows counted in the same period: "CPUs utilized", "GHz", "insn per cycle",
 * misses per access, and otherwise the rate per second of the clock event among them. A row is
 * related to rows of the same CPU or thread, and a user-space count to user-space counts. wall_ns:
 * length of the period.
 */
void stat_metric__derive(struct stat_row *rows, size_t cnt, double wall_ns);
/* Returns whether two rows belong to one CPU, thread, place and cgroup, or both to the whole. */
bool stat_row__is_with(const struct stat_row *a, const struct stat_row *b);

/*
 * Determines the metrics that the rows' events can have, independent of counts: rates per second
 * and CPUs utilized are not among them. Fills at most max columns and returns their number; 0: the
 * events have no metrics.
 */
size_t stat_metric__columns(const struct stat_row *rows, size_t cnt,
			    struct stat_metric_column *columns, size_t max);
/*
 * Appends rows by format's metric_head (if header is set) and metric_line: a line for each CPU,
 * thread or place that can have a metric.
 */
void stat_metric__print(struct strbuf *sb, const struct stat_format *format,
			const struct stat_style *style, const struct stat_row *rows, size_t cnt,
			double time_s, bool header);

#endif

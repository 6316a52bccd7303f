/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The output of bpfperf stat: rows of counts, in the columns of perf stat, as text for people, CSV
 * (-x) or JSON (-j).
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
	STAT_NOT_COUNTED, /* it was wanted, and never ran */
	STAT_NOT_SUPPORTED, /* the kernel refused it */
};

/* Each CPU, thread, socket and so on has rows of its own. */
enum aggr_mode {
	STAT_TOGETHER,
	STAT_BY_CPU,
	STAT_BY_THREAD,
	/* Places of several CPUs: */
	STAT_BY_NODE,
	STAT_BY_SOCKET,
	STAT_BY_DIE,
	STAT_BY_CORE,
};

/* A figure derived from a count and others, as "0.97 insn per cycle". */
struct stat_metric {
	double value;
	const char *unit; /* static; NULL: there is no metric */
	int digits; /* behind the point, in text */
	bool percent;
};

struct stat_row {
	const struct event *ev;
	const char *name; /* as printed; the caller's */
	const char *unit; /* "msec", "Joules", "" */
	enum stat_state state;
	double value; /* in that unit, extrapolated unless the user wants it raw */
	double spread_pct; /* of several runs: standard deviation of the mean; 0: of one */
	uint64_t enabled_ns, running_ns; /* sums of what the row sums up */
	int cpu; /* -1: not of one CPU */
	const char *thread; /* "comm-tid", or NULL: not of one thread; the caller's */
	const char *place; /* "S0-D0-C1", or NULL: not of one such place; the caller's */
	size_t place_cpu_cnt; /* CPUs that count there */
	struct stat_metric metric;
	const char *why; /* a sentence on why it does not count as asked, or NULL; the caller's */
};

/* How it is to be printed. */
struct stat_style {
	const char *sep; /* CSV: between columns */
	const char *thousands; /* text: between groups of three digits, or "" */
	bool intervals; /* rows have a time */
	bool metric_only;
	unsigned int run_cnt;
	enum aggr_mode apart;
};

/* The text around the rows. */
struct stat_summary {
	const char *target_text; /* "'make'", "'system wide'", "process id '42'" */
	unsigned int done_cnt; /* runs that took place: fewer than wanted where they were stopped */
	double elapsed_s, elapsed_spread_s; /* mean and standard deviation of the mean */
	bool has_usage; /* of CMD: */
	double user_s, system_s;
};

/* The columns of --metric-only. */
struct stat_metric_column {
	const struct event *ev; /* the event of the metric */
	char name[128]; /* "insn per cycle", "branch-misses of all branches" */
	const char
		*unit; /* that of the rows' metrics; metrics of another unit have no column here */
};

#define STAT_METRIC_COLUMNS 64

/* The columns' metrics of one CPU, thread or place. */
struct stat_metric_line {
	const struct stat_row *of; /* its first row; NULL above the lines */
	size_t cnt;
	struct stat_metric_column columns[STAT_METRIC_COLUMNS];
	const struct stat_metric *metrics[STAT_METRIC_COLUMNS]; /* NULL: it could not be derived */
};

struct stat_format {
	const char *name;
	/* Each may be NULL. time_s: since the beginning, where rows have a time. */
	void (*begin)(struct strbuf *sb, const struct stat_style *style,
		      const struct stat_summary *sum);
	void (*row)(struct strbuf *sb, const struct stat_style *style, const struct stat_row *row,
		    double time_s);
	/* In place of rows: their metrics alone, a line for each place, and the names above. */
	void (*metric_head)(struct strbuf *sb, const struct stat_style *style,
			    const struct stat_metric_line *line);
	void (*metric_line)(struct strbuf *sb, const struct stat_style *style,
			    const struct stat_metric_line *line, double time_s);
	void (*end)(struct strbuf *sb, const struct stat_style *style,
		    const struct stat_summary *sum);
};

extern const struct stat_format stat_text, stat_csv, stat_json;

/*
 * Derives the metrics of rows that were counted at one time: "CPUs utilized", "GHz", "insn per
 * cycle", misses per access, and for the rest how many a second of the clock event among them.
 * Rows of one CPU or thread are set against those of the same one, and counts of user space
 * against counts of user space. wall_ns: how long it was counted.
 */
void stat_metric__derive(struct stat_row *rows, size_t cnt, double wall_ns);
/* Are two rows of the same CPU, thread and place, or both of all? */
bool stat_row__is_with(const struct stat_row *a, const struct stat_row *b);

/*
 * Which metrics the rows' events can have, whatever was counted: rates a second and CPUs
 * utilized are none. Into at most max columns: how many. 0: the events give none.
 */
size_t stat_metric__columns(const struct stat_row *rows, size_t cnt,
			    struct stat_metric_column *columns, size_t max);
/*
 * Appends rows by format's metric_head (where header is set) and metric_line: a line for each CPU,
 * thread or place that a metric can be of.
 */
void stat_metric__print(struct strbuf *sb, const struct stat_format *format,
			const struct stat_style *style, const struct stat_row *rows, size_t cnt,
			double time_s, bool header);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Metric expressions in the grammar of perf's metrics (kernel: tools/perf/util/expr.y, expr.l):
 * numbers, events, + - * / %, < >, | ^ & of truth values, min, max, d_ratio, `a if b else c`,
 * has_event(), source_count(), strcmp_cpuid_str(), literals such as #smt_on, and names of other
 * metrics, which their expressions replace. In the name of an event a backslash is before
 * '-', ',' and '=', and '@' is written for '/': cpu@event\=0x3c@, page\-faults.
 */
#ifndef BPFPERF_STAT_METRIC_EXPR_H
#define BPFPERF_STAT_METRIC_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include "util/strbuf.h"

/* Limits of one expression, the metrics in it included. */
#define EXPR_NODES 4096
#define EXPR_IDS 64
#define EXPR_DEPTH 64
#define EXPR_ID_SZ 256

enum expr_op {
	EXPR_NUM,
	EXPR_ID,
	EXPR_NEG,
	EXPR_ADD,
	EXPR_SUB,
	EXPR_MUL,
	EXPR_DIV,
	EXPR_MOD,
	EXPR_LT,
	EXPR_GT,
	EXPR_OR,
	EXPR_XOR,
	EXPR_AND,
	EXPR_MIN,
	EXPR_MAX,
	EXPR_RATIO, /* d_ratio: 0 when the divisor is 0 */
	EXPR_IF, /* a if c else b */
};

/* Operands are indexes of nodes before this one. */
struct expr_node {
	enum expr_op op;
	unsigned int a, b, c;
	unsigned int id; /* EXPR_ID: index in expr.ids */
	double num; /* EXPR_NUM */
};

struct metric_expr {
	struct expr_node *nodes; /* the last one is the whole expression */
	size_t cnt;
	char **ids; /* names of the events that the value depends on, as for event_list__add() */
	size_t id_cnt;
};

/* Knowledge of the machine and of other metrics; each function may be NULL: it knows nothing. */
struct expr_env {
	/*
	 * The expression of a metric, one text per metric: in it this name is an event's. NULL:
	 * name is no metric.
	 */
	const char *(*metric)(void *ctx, const char *name);
	/* Sets the value of a literal ("#smt_on"); false: it is unknown. */
	bool (*literal)(void *ctx, const char *name, double *value);
	bool (*has_event)(void *ctx, const char *name);
	bool (*is_cpu)(void *ctx, const char *cpuid);
	void *ctx;
};

struct expr_error {
	size_t off; /* in the text of the expression, or of the metric in it */
	char text[128]; /* without a full stop */
};

/*
 * Parses an expression; operations on numbers are done at once, so that ids lacks the events of
 * branches that this machine does not take. NULL: *err is set.
 */
struct metric_expr *metric_expr__parse(const char *text, const struct expr_env *env,
				       struct expr_error *err);
/* NULL is accepted. */
void metric_expr__free(struct metric_expr *e);

/*
 * Returns the value for these counts, one for each id. NAN: not defined, such as a division by 0,
 * or a count that is NAN. Works as perf's: & | ^ of truth values, % of whole numbers.
 */
double metric_expr__eval(const struct metric_expr *e, const double *counts);
/* Returns the values of all nodes, to be freed; NULL: no memory. */
double *metric_expr__values(const struct metric_expr *e, const double *counts);
/* Applies one operation to values; for EXPR_IF, c is the condition. */
double metric_op__apply(enum expr_op op, double a, double b, double c);

/* The cause of a value that is NAN. */
struct expr_blame {
	int id; /* this count is NAN; -1: none is */
	struct strbuf divisor; /* to be freed; the operand that is 0, as an expression; or empty */
};

void metric_expr__blame(const struct metric_expr *e, const double *counts,
			struct expr_blame *blame);

/* A count that is known in part. */
struct expr_input {
	double counted; /* events that were counted */
	double uncounted; /* time that the counter waited, in the unit of rates */
	/* events per unit of time in each of rate_cnt slices of the counted time */
	const double *rates;
	size_t rate_cnt;
	/*
	 * Inputs with equal numbers were counted in the same time, slice by slice: in the time they
	 * waited their rates are a mixture of the same slices.
	 */
	unsigned int set;
};

struct expr_range {
	double lo, hi; /* -INFINITY, INFINITY: there is no bound */
};

/*
 * Bounds of the value if each count is `counted` plus what the uncounted time added, and the
 * uncounted time had the mean rates of a mixture of the slices (docs/decisions.md). Ratios of sums
 * have exact bounds, other expressions wider ones. 0 or -ENOMEM.
 */
int metric_expr__range(const struct metric_expr *e, const struct expr_input *inputs,
		       struct expr_range *range);

#endif

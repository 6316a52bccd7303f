// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The reason why a metric expression has no value. */
#include <math.h>
#include <stdlib.h>

#include "stat/metric_expr.h"
#include "util/strbuf.h"

/* An operand of a reason is shown up to this depth of operations. */
#define SHOWN_DEPTH 6

static const char *const signs[] = {
	[EXPR_ADD] = " + ",  [EXPR_SUB] = " - ", [EXPR_MUL] = " * ", [EXPR_DIV] = " / ",
	[EXPR_MOD] = " % ",  [EXPR_LT] = " < ",  [EXPR_GT] = " > ",  [EXPR_OR] = " | ",
	[EXPR_XOR] = " ^ ",  [EXPR_AND] = " & ", [EXPR_MIN] = ", ",  [EXPR_MAX] = ", ",
	[EXPR_RATIO] = ", ",
};

static const char *function_of(enum expr_op op)
{
	switch (op) {
	case EXPR_MIN:
		return "min(";
	case EXPR_MAX:
		return "max(";
	case EXPR_RATIO:
		return "d_ratio(";
	default:
		return "(";
	}
}

/* Puts an operand as an expression, an operation in parentheses. */
static void put_node(struct strbuf *sb, const struct metric_expr *e, unsigned int at, int depth)
{
	const struct expr_node *n = &e->nodes[at];

	if (n->op == EXPR_NUM) {
		strbuf__printf(sb, "%g", n->num);
	} else if (n->op == EXPR_ID) {
		strbuf__puts(sb, e->ids[n->id]);
	} else if (!depth) {
		strbuf__puts(sb, "...");
	} else if (n->op == EXPR_NEG) {
		strbuf__putc(sb, '-');
		put_node(sb, e, n->a, depth - 1);
	} else {
		strbuf__puts(sb, function_of(n->op));
		put_node(sb, e, n->a, depth - 1);
		strbuf__puts(sb, n->op == EXPR_IF ? " if " : signs[n->op]);
		if (n->op == EXPR_IF) {
			put_node(sb, e, n->c, depth - 1);
			strbuf__puts(sb, " else ");
		}
		put_node(sb, e, n->b, depth - 1);
		strbuf__putc(sb, ')');
	}
}

/* Returns the operand that makes the node's value NAN, or -1: the operation itself does. */
static long nan_operand(const struct expr_node *n, const double *values)
{
	if (n->op == EXPR_NUM || n->op == EXPR_ID)
		return -1;
	/* A condition that is not defined is taken for true, as in perf. */
	if (n->op == EXPR_IF)
		return values[n->c] == 0 ? n->b : n->a;
	if (isnan(values[n->a]))
		return n->a;
	return n->op != EXPR_NEG && isnan(values[n->b]) ? (long)n->b : -1;
}

void metric_expr__blame(const struct metric_expr *e, const double *counts, struct expr_blame *blame)
{
	double *values = metric_expr__values(e, counts);
	unsigned int at = (unsigned int)e->cnt - 1;
	long next;

	*blame = (struct expr_blame){ .id = -1, .divisor = STRBUF_INIT };
	if (!values)
		return;
	while ((next = nan_operand(&e->nodes[at], values)) >= 0)
		at = (unsigned int)next;
	if (e->nodes[at].op == EXPR_ID)
		blame->id = (int)e->nodes[at].id;
	else if (e->nodes[at].op == EXPR_DIV || e->nodes[at].op == EXPR_MOD)
		put_node(&blame->divisor, e, e->nodes[at].b, SHOWN_DEPTH);
	free(values);
}

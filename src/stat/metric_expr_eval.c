// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Values of metric expressions, by the rules of perf (kernel: tools/perf/util/expr.y). */
#include <math.h>
#include <stdlib.h>

#include "stat/metric_expr.h"

/* Truth values: a side that is not defined counts only where the other one does not decide. */
static double apply_logic(enum expr_op op, double a, double b)
{
	if (op == EXPR_XOR)
		return isnan(a) || isnan(b) ? NAN : (a != 0) != (b != 0);
	if (!isnan(a) && !isnan(b))
		return op == EXPR_OR ? a != 0 || b != 0 : a != 0 && b != 0;
	if (!isnan(a))
		return (a != 0) == (op == EXPR_OR) ? a != 0 : b;
	return !isnan(b) && (b != 0) == (op == EXPR_OR) ? b != 0 : a;
}

static double apply_mod(double a, double b)
{
	return isnan(a) || isnan(b) || trunc(b) == 0 ? NAN : fmod(trunc(a), trunc(b));
}

double metric_op__apply(enum expr_op op, double a, double b, double c)
{
	switch (op) {
	case EXPR_NUM:
	case EXPR_ID:
		return a;
	case EXPR_NEG:
		return -a;
	case EXPR_ADD:
		return a + b;
	case EXPR_SUB:
		return a - b;
	case EXPR_MUL:
		return a * b;
	case EXPR_DIV:
		return b == 0 ? NAN : a / b;
	case EXPR_MOD:
		return apply_mod(a, b);
	case EXPR_LT:
		return isnan(a) || isnan(b) ? NAN : a < b;
	case EXPR_GT:
		return isnan(a) || isnan(b) ? NAN : a > b;
	case EXPR_OR:
	case EXPR_XOR:
	case EXPR_AND:
		return apply_logic(op, a, b);
	/* A comparison with NAN is false, so that the second one is taken. */
	case EXPR_MIN:
		return a < b ? a : b;
	case EXPR_MAX:
		return a > b ? a : b;
	case EXPR_RATIO:
		return b == 0 ? 0 : a / b;
	case EXPR_IF:
		return c == 0 ? b : a;
	}
	return NAN;
}

double *metric_expr__values(const struct metric_expr *e, const double *counts)
{
	double *values = calloc(e->cnt, sizeof(*values));
	size_t i;

	for (i = 0; values && i < e->cnt; i++) {
		const struct expr_node *n = &e->nodes[i];

		if (n->op == EXPR_NUM)
			values[i] = n->num;
		else if (n->op == EXPR_ID)
			values[i] = counts[n->id];
		else
			values[i] =
				metric_op__apply(n->op, values[n->a], values[n->b], values[n->c]);
	}
	return values;
}

double metric_expr__eval(const struct metric_expr *e, const double *counts)
{
	double *values = metric_expr__values(e, counts);
	double value = values ? values[e->cnt - 1] : NAN;

	free(values);
	return value;
}

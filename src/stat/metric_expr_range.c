// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Bounds of metric expressions with counts that are known in part.
 *
 * A ratio of two sums of counts, the form of most metrics, has its extremes where each set of
 * inputs waited at the rates of a single slice. These are found by Dinkelbach's method ("On
 * Nonlinear Fractional Programming", Management Science 13, 1967): the maximum of N/D is the q for
 * which the maximum of N - q·D is 0, and each maximum of N - q·D, a sum over sets, gives a better
 * q. Other operations combine the bounds of their operands as intervals.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "stat/metric_expr.h"

#define STEPS 64
/* Rounding errors of the operations are below this part of a bound. */
#define ROUNDING 1e-12

/* num · (1, counts) / den · (1, counts); den (1, 0, …) for a sum. */
struct form {
	bool is_ratio; /* the node has such a form */
	double *num, *den;
};

struct bounds {
	const struct metric_expr *e;
	const struct expr_input *in;
	struct form *forms; /* by node */
	size_t dims; /* ids + 1 */
};

static bool is_proportional(const double *a, const double *b, size_t cnt, double *factor)
{
	size_t i;

	*factor = 0;
	for (i = 0; i < cnt; i++)
		if (b[i] != 0) {
			*factor = a[i] / b[i];
			break;
		}
	for (i = 0; i < cnt; i++)
		if (a[i] != *factor * b[i])
			return false;
	return *factor != 0;
}

static bool is_constant(const struct form *f, size_t dims, double *value)
{
	size_t i;

	for (i = 1; i < dims; i++)
		if (f->num[i] != 0 || f->den[i] != 0)
			return false;
	*value = f->num[0] / f->den[0];
	return isfinite(*value);
}

/* A ± B: one denominator, or one of the two is a number. */
static bool form_sum(struct form *to, const struct form *a, const struct form *b, double sign,
		     size_t dims)
{
	double factor, num;
	size_t i;

	if (is_constant(b, dims, &num)) {
		for (i = 0; i < dims; i++) {
			to->den[i] = a->den[i];
			to->num[i] = a->num[i] + sign * num * a->den[i];
		}
		return true;
	}
	if (is_constant(a, dims, &num)) {
		for (i = 0; i < dims; i++) {
			to->den[i] = b->den[i];
			to->num[i] = sign * b->num[i] + num * b->den[i];
		}
		return true;
	}
	if (!is_proportional(a->den, b->den, dims, &factor))
		return false;
	for (i = 0; i < dims; i++) {
		to->den[i] = a->den[i];
		to->num[i] = a->num[i] + sign * factor * b->num[i];
	}
	return true;
}

static bool form_product(struct form *to, const struct form *a, const struct form *b, size_t dims)
{
	double num;
	size_t i;

	if (!is_constant(b, dims, &num)) {
		const struct form *swap = a;

		a = b;
		b = swap;
		if (!is_constant(b, dims, &num))
			return false;
	}
	for (i = 0; i < dims; i++) {
		to->den[i] = a->den[i];
		to->num[i] = a->num[i] * num;
	}
	return true;
}

/* A ÷ B: the denominators are one, so that the numerators' ratio is left. */
static bool form_quotient(struct form *to, const struct form *a, const struct form *b, size_t dims)
{
	double factor;
	size_t i;

	if (!is_proportional(b->den, a->den, dims, &factor))
		return false;
	for (i = 0; i < dims; i++) {
		to->num[i] = a->num[i] * factor;
		to->den[i] = b->num[i];
	}
	return true;
}

static bool find_form(const struct bounds *b, const struct expr_node *n, struct form *to)
{
	const struct form *x = &b->forms[n->a], *y = &b->forms[n->b];
	const struct form zero = b->forms[b->e->cnt];

	to->den[0] = 1;
	if (n->op == EXPR_NUM)
		to->num[0] = n->num;
	if (n->op == EXPR_ID)
		to->num[1 + n->id] = 1;
	if (n->op == EXPR_NUM || n->op == EXPR_ID)
		return n->op == EXPR_ID || isfinite(n->num);
	if (!x->is_ratio || (n->op != EXPR_NEG && !y->is_ratio))
		return false;
	switch (n->op) {
	case EXPR_NEG:
		return form_sum(to, &zero, x, -1, b->dims);
	case EXPR_ADD:
	case EXPR_SUB:
		return form_sum(to, x, y, n->op == EXPR_ADD ? 1 : -1, b->dims);
	case EXPR_MUL:
		return form_product(to, x, y, b->dims);
	case EXPR_DIV:
	case EXPR_RATIO:
		return form_quotient(to, x, y, b->dims);
	default:
		return false;
	}
}

static bool is_first_of_set(const struct bounds *b, size_t input)
{
	size_t i;

	for (i = 0; i < input; i++)
		if (b->in[i].uncounted > 0 && b->in[i].set == b->in[input].set)
			return false;
	return true;
}

/* Adds the rates that the inputs of a set have in the slice which maximizes w · rates. */
static void add_best_slice(const struct bounds *b, size_t first, const double *w, double *x)
{
	const struct expr_input *in = b->in;
	double most = -INFINITY, sum;
	size_t best = 0, k, i;

	for (k = 0; k < in[first].rate_cnt; k++) {
		for (sum = 0, i = first; i < b->e->id_cnt; i++)
			if (in[i].uncounted > 0 && in[i].set == in[first].set)
				sum += w[1 + i] * in[i].uncounted * in[i].rates[k];
		if (sum > most) {
			most = sum;
			best = k;
		}
	}
	for (i = first; i < b->e->id_cnt; i++)
		if (in[i].uncounted > 0 && in[i].set == in[first].set)
			x[1 + i] += in[i].uncounted * in[i].rates[best];
}

/* Finds the counts for which w · (1, counts) is largest. */
static void maximize(const struct bounds *b, const double *w, double *x)
{
	size_t i;

	x[0] = 1;
	for (i = 0; i < b->e->id_cnt; i++)
		x[1 + i] = b->in[i].counted;
	for (i = 0; i < b->e->id_cnt; i++)
		if (b->in[i].uncounted > 0 && is_first_of_set(b, i))
			add_best_slice(b, i, w, x);
}

static double dot(const double *a, const double *b, size_t cnt)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < cnt; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Returns the largest sign · num/den; den is positive for all counts, and at least den_min. */
static double largest_ratio(const struct bounds *b, const struct form *f, double sign,
			    double den_min)
{
	double w[EXPR_IDS + 1], x[EXPR_IDS + 1], q = -INFINITY, next, rest = 0;
	size_t i, step;

	maximize(b, f->num, x);
	for (step = 0; step < STEPS; step++) {
		next = sign * dot(f->num, x, b->dims) / dot(f->den, x, b->dims);
		if (!(next > q))
			break;
		q = next;
		for (i = 0; i < b->dims; i++)
			w[i] = sign * f->num[i] - q * f->den[i];
		maximize(b, w, x);
		rest = dot(w, x, b->dims);
	}
	/* If the steps ended early, the rest bounds what was missed. */
	return q + (rest > 0 ? rest / den_min : 0);
}

/* False: the denominator may be 0. */
static bool ratio_range(const struct bounds *b, const struct form *f, struct expr_range *range)
{
	double x[EXPR_IDS + 1], minus[EXPR_IDS + 1] = { 0 }, num[EXPR_IDS + 1] = { 0 }, lo, hi;
	struct form positive = { .num = num, .den = minus };
	size_t i;

	maximize(b, f->den, x);
	hi = dot(f->den, x, b->dims);
	for (i = 0; i < b->dims; i++) {
		minus[i] = -f->den[i];
		num[i] = -f->num[i];
	}
	maximize(b, minus, x);
	lo = dot(f->den, x, b->dims);
	if (!(lo > 0) && !(hi < 0))
		return false;
	if (lo > 0)
		positive = *f;
	else
		lo = -hi;
	*range = (struct expr_range){ -largest_ratio(b, &positive, -1, lo),
				      largest_ratio(b, &positive, 1, lo) };
	return true;
}

static const struct expr_range unknown = { -INFINITY, INFINITY };

static bool has_zero(struct expr_range r)
{
	return r.lo <= 0 && r.hi >= 0;
}

static bool is_point(struct expr_range r)
{
	return r.lo == r.hi;
}

/* The range of the four combinations of the ends, for × and ÷. */
static struct expr_range of_ends(enum expr_op op, struct expr_range a, struct expr_range b)
{
	const double as[] = { a.lo, a.hi }, bs[] = { b.lo, b.hi };
	struct expr_range r = { INFINITY, -INFINITY };
	size_t i;

	for (i = 0; i < 4; i++) {
		double v = metric_op__apply(op, as[i / 2], bs[i % 2], 0);

		if (isnan(v))
			return unknown;
		r.lo = fmin(r.lo, v);
		r.hi = fmax(r.hi, v);
	}
	return r;
}

static struct expr_range choose(struct expr_range a, struct expr_range b, struct expr_range c)
{
	if (is_point(c) && c.lo == 0)
		return b;
	if (!has_zero(c))
		return a;
	return (struct expr_range){ fmin(a.lo, b.lo), fmax(a.hi, b.hi) };
}

/* Truth values are 0 or 1, one of which may be excluded. */
static struct expr_range compare(enum expr_op op, struct expr_range a, struct expr_range b)
{
	if (op == EXPR_GT)
		return compare(EXPR_LT, b, a);
	return (struct expr_range){ a.hi < b.lo, a.lo < b.hi };
}

static struct expr_range logic(enum expr_op op, struct expr_range a, struct expr_range b)
{
	const struct expr_range as = { !has_zero(a), !(is_point(a) && a.lo == 0) };
	const struct expr_range bs = { !has_zero(b), !(is_point(b) && b.lo == 0) };

	if (op == EXPR_XOR && !(is_point(as) && is_point(bs)))
		return (struct expr_range){ 0, 1 };
	return (struct expr_range){ metric_op__apply(op, as.lo, bs.lo, 0),
				    metric_op__apply(op, as.hi, bs.hi, 0) };
}

static struct expr_range combine(enum expr_op op, struct expr_range a, struct expr_range b,
				 struct expr_range c)
{
	switch (op) {
	case EXPR_NUM:
	case EXPR_ID:
		return a;
	case EXPR_NEG:
		return (struct expr_range){ -a.hi, -a.lo };
	case EXPR_ADD:
		return (struct expr_range){ a.lo + b.lo, a.hi + b.hi };
	case EXPR_SUB:
		return (struct expr_range){ a.lo - b.hi, a.hi - b.lo };
	case EXPR_MUL:
		return of_ends(op, a, b);
	case EXPR_RATIO:
	case EXPR_DIV:
		if (op == EXPR_RATIO && is_point(b) && b.lo == 0)
			return (struct expr_range){ 0, 0 };
		return has_zero(b) ? unknown : of_ends(op, a, b);
	case EXPR_MOD:
		return is_point(a) && is_point(b) ? of_ends(op, a, b) : unknown;
	case EXPR_LT:
	case EXPR_GT:
		return compare(op, a, b);
	case EXPR_OR:
	case EXPR_XOR:
	case EXPR_AND:
		return logic(op, a, b);
	case EXPR_MIN:
		return (struct expr_range){ fmin(a.lo, b.lo), fmin(a.hi, b.hi) };
	case EXPR_MAX:
		return (struct expr_range){ fmax(a.lo, b.lo), fmax(a.hi, b.hi) };
	case EXPR_IF:
		return choose(a, b, c);
	}
	return unknown;
}

static struct expr_range widen(struct expr_range r)
{
	r.lo -= fabs(r.lo) * ROUNDING;
	r.hi += fabs(r.hi) * ROUNDING;
	return isnan(r.lo) || isnan(r.hi) ? unknown : r;
}

/* Fills the ranges of all nodes. */
static void find_ranges(const struct bounds *b, struct expr_range *ranges)
{
	size_t i;

	for (i = 0; i < b->e->cnt; i++) {
		const struct expr_node *n = &b->e->nodes[i];

		if (n->op == EXPR_NUM)
			ranges[i] = (struct expr_range){ n->num, n->num };
		else if (!b->forms[i].is_ratio || !ratio_range(b, &b->forms[i], &ranges[i]))
			ranges[i] = n->op == EXPR_ID ? unknown
						     : combine(n->op, ranges[n->a], ranges[n->b],
							       ranges[n->c]);
		/* An exact value needs no rounding: a comparison would lose its answer. */
		if (n->op != EXPR_NUM && !is_point(ranges[i]))
			ranges[i] = widen(ranges[i]);
	}
}

int metric_expr__range(const struct metric_expr *e, const struct expr_input *inputs,
		       struct expr_range *range)
{
	struct bounds b = { .e = e, .in = inputs, .dims = e->id_cnt + 1 };
	struct expr_range *ranges = calloc(e->cnt, sizeof(*ranges));
	double *numbers = calloc((e->cnt + 1) * 2 * b.dims, sizeof(*numbers));
	int err = -ENOMEM;
	size_t i;

	*range = unknown;
	b.forms = calloc(e->cnt + 1, sizeof(*b.forms));
	if (!ranges || !numbers || !b.forms)
		goto cleanup;
	/* The form behind the last one is 0. */
	for (i = 0; i <= e->cnt; i++) {
		b.forms[i].num = numbers + 2 * i * b.dims;
		b.forms[i].den = b.forms[i].num + b.dims;
	}
	b.forms[e->cnt].den[0] = 1;
	for (i = 0; i < e->cnt; i++)
		b.forms[i].is_ratio = find_form(&b, &e->nodes[i], &b.forms[i]);
	find_ranges(&b, ranges);
	*range = ranges[e->cnt - 1];
	err = 0;
cleanup:
	free(ranges);
	free(numbers);
	free(b.forms);
	return err;
}

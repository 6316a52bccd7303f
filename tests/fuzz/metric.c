// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Metrics: a file of definitions, or an expression (first byte). An expression that is taken has a
 * value, and bounds that the value is within; one that is refused has a sentence and a place.
 */
#include "fuzz.h"

#include <math.h>

#include "stat/metric_defs.h"
#include "stat/metric_expr.h"
#include "util/fs.h"
#include "util/log.h"

#define RATES 3

static const char *const seeds[] = {
	"1a / b + 0 * c",
	"1max(1 - (a + b) / (a + b + c), 0) * 100",
	"1a if #smt_on & b > c else d_ratio(min(a, b), c % 3)",
	"1cpu@event\\=0x9c\\,umask\\=1@ - has_event(x) ^ strcmp_cpuid_str(0x41) | source_count(a)",
	"1inner / outer - -1e-3",
	"0[{\"MetricName\":\"a\",\"MetricExpr\":\"b / c\",\"ScaleUnit\":\"1e-3x\",\"x\":[1,{}]}]",
};

static void fuzz_setup(void)
{
	log__mute(true);
}

static void fuzz_seeds(void)
{
	char name[32];
	size_t i;

	for (i = 0; i < sizeof(seeds) / sizeof(*seeds); i++) {
		snprintf(name, sizeof(name), "%zu", i);
		fuzz_seed(name, seeds[i], strlen(seeds[i]));
	}
}

static const char *metric(void *ctx, const char *name)
{
	return !strcmp(name, "inner") ? "a + outer" : !strcmp(name, "outer") ? "b * 2" : NULL;
}

static bool literal(void *ctx, const char *name, double *value)
{
	*value = (double)strlen(name);
	return name[1] == 's';
}

static bool has_event(void *ctx, const char *name)
{
	return *name == 'a';
}

/* Rounding errors of large and of small numbers are not what is tried here. */
static bool is_moderate(const struct metric_expr *e)
{
	size_t i;

	for (i = 0; i < e->cnt; i++)
		if (e->nodes[i].op == EXPR_NUM && e->nodes[i].num != 0 &&
		    !(fabs(e->nodes[i].num) > 1e-3 && fabs(e->nodes[i].num) < 1e4))
			return false;
	return e->cnt < 24;
}

/* Each input waited as long as it counted; the value for the mean of the slices is one of those. */
static void check_bounds(const struct metric_expr *e)
{
	static const double rates[RATES] = { 1, 2, 9 };
	struct expr_input in[EXPR_IDS];
	struct expr_range r;
	double counts[EXPR_IDS], value;
	size_t i;

	for (i = 0; i < e->id_cnt; i++) {
		in[i] = (struct expr_input){ 10 + (double)i, 3, rates, RATES, (unsigned int)i / 2 };
		counts[i] = in[i].counted + 3 * 4;
	}
	value = metric_expr__eval(e, counts);
	fuzz_check(!metric_expr__range(e, in, &r));
	if (is_moderate(e) && isfinite(value) && isfinite(r.lo) && isfinite(r.hi))
		fuzz_check(value >= r.lo - 1e-6 * (1 + fabs(r.lo)) &&
			   value <= r.hi + 1e-6 * (1 + fabs(r.hi)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t sz)
{
	const struct expr_env env = { metric, literal, has_event, has_event, NULL };
	struct fuzz_bytes b = { data, sz };
	struct expr_error err = { 0 };
	struct metric_defs defs = { 0 };
	struct metric_expr *e = NULL;
	bool is_expr = fuzz_take(&b, 1) & 1;
	char *text = fuzz_text(&b);

	if (!is_expr) {
		metric_defs__add_text(&defs, text, strlen(text), "text");
	} else {
		e = metric_expr__parse(text, &env, &err);
		fuzz_check(e || err.text[0]);
	}
	if (e)
		check_bounds(e);
	metric_expr__free(e);
	metric_defs__free(&defs);
	free(text);
	return 0;
}

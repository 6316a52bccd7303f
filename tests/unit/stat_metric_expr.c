// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Metric expressions: perf's own examples (kernel: tools/perf/tests/expr.c), texts that are
 * refused, and bounds of metrics against counts that are known in whole.
 */
#include <math.h>

#include "stat/metric_expr.h"
#include "tests/rnd.h"
#include "tests/tap.h"

static const char *metric(void *ctx, const char *name)
{
	if (!strcmp(name, "twice_foo"))
		return "FOO * 2";
	if (!strcmp(name, "loop"))
		return "back + 1";
	if (!strcmp(name, "back"))
		return "2 * loop";
	if (!strcmp(name, "OWN"))
		return "OWN / 2";
	return NULL;
}

static bool literal(void *ctx, const char *name, double *value)
{
	*value = 1;
	return !strcmp(name, "#smt_on");
}

static bool has_event(void *ctx, const char *name)
{
	return !strcmp(name, "FOO");
}

static const struct expr_env env = { metric, literal, has_event, NULL, NULL };

/* Evaluates with FOO 1 and BAR 2. */
static double value_of(const char *text)
{
	struct expr_error err;
	struct metric_expr *e = metric_expr__parse(text, &env, &err);
	double counts[EXPR_IDS], value;
	size_t i;

	if (!e)
		return -999;
	for (i = 0; i < e->id_cnt; i++)
		counts[i] = !strcmp(e->ids[i], "BAR") ? 2 : 1;
	value = metric_expr__eval(e, counts);
	metric_expr__free(e);
	return value;
}

static void check_values(void)
{
	static const struct {
		const char *text;
		double value;
	} all[] = {
		{ "1+1", 2 },
		{ "FOO+BAR", 3 },
		{ "(BAR/2)%2", 1 },
		{ "1 - -4", 5 },
		{ "(FOO-1)*2 + (BAR/2)%2 - -4", 5 },
		{ "1-1 | 1", 1 },
		{ "1-1 & 1", 0 },
		{ "min(1,2) + 1", 2 },
		{ "max(1,2) + 1", 3 },
		{ "1+1 if 3*4 else 0", 2 },
		{ "100 if 1 else 200 if 1 else 300", 100 },
		{ "100 if 0 else 200 if 1 else 300", 200 },
		{ "100 if 1 else 200 if 0 else 300", 100 },
		{ "100 if 0 else 200 if 0 else 300", 300 },
		{ "1.1 + 2.1", 3.2 },
		{ ".1 + 2.", 2.1 },
		{ "d_ratio(1, 2)", 0.5 },
		{ "d_ratio(2.5, 0)", 0 },
		{ "1.1 < 2.2", 1 },
		{ "2.2 < 1.1", 0 },
		{ "1.1e10 < 1.1e100", 1 },
		{ "1.1e2 > 1.1e-2", 1 },
		{ "10 - 3 - 2", 5 },
		{ "2 * 3 % 4", 2 },
		{ "1 | 0 ^ 1 & 0", 1 },
		{ "-FOO * 2", -2 },
		{ "twice_foo / BAR", 1 },
		{ "FOO if #smt_on else BAR", 1 },
		{ "has_event(FOO) + has_event(NONE)", 1 },
		{ "source_count(FOO)", 1 },
		{ "(FOO > 0) & (BAR > 1) ^ 1", 0 },
		{ "OWN + 3", 3.5 },
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		ok(fabs(value_of(all[i].text) - all[i].value) < 1e-12, "value of %s", all[i].text);
	ok(isnan(value_of("FOO/0")), "value of a division by 0: none");
	ok(isnan(value_of("FOO % (BAR - 2)")), "value of a remainder by 0: none");
}

/* The cause of a value that is missing: FOO 1, BAR 2, GONE without a count. */
static void check_blame(void)
{
	static const struct {
		const char *text, *id, *divisor;
	} all[] = {
		{ "FOO / (BAR - 2 * FOO)", "", "(BAR - (2 * FOO))" },
		{ "1 + FOO % -(BAR - 2)", "", "-(BAR - 2)" },
		{ "FOO / GONE", "GONE", "" },
		{ "FOO / 0 + GONE", "", "0" },
		{ "1 + min(FOO, GONE) * 2", "GONE", "" },
		{ "FOO / 0 if BAR > 7 else GONE", "GONE", "" },
		{ "FOO / (0 * BAR if FOO else BAR) if GONE else 1", "",
		  "((0 * BAR) if FOO else BAR)" },
		{ "NaN * FOO", "", "" },
		{ "FOO / ((((((((BAR - 2) * 3) * 3) * 3) * 3) * 3) * 3) * 3)", "",
		  "((((((... * 3) * 3) * 3) * 3) * 3) * 3)" },
	};
	struct expr_error err;
	size_t i, j;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct metric_expr *e = metric_expr__parse(all[i].text, &env, &err);
		double counts[EXPR_IDS];
		struct expr_blame blame;

		for (j = 0; e && j < e->id_cnt; j++)
			counts[j] = !strcmp(e->ids[j], "BAR")    ? 2
				    : !strcmp(e->ids[j], "GONE") ? NAN
								 : 1;
		if (!ok(e && isnan(metric_expr__eval(e, counts)), "%s: no value", all[i].text))
			continue;
		metric_expr__blame(e, counts, &blame);
		is_str(blame.id < 0 ? "" : e->ids[blame.id], all[i].id, "%s: the event to blame",
		       all[i].text);
		is_str(strbuf__cstr(&blame.divisor), all[i].divisor, "%s: the divisor that is 0",
		       all[i].text);
		strbuf__free(&blame.divisor);
		metric_expr__free(e);
	}
}

static void check_ids(void)
{
	struct expr_error err;
	struct metric_expr *e = metric_expr__parse(
		"cpu@event\\=0x9c\\,umask\\=1@ + dash\\-event - sched:x", &env, &err);

	ok(e && e->id_cnt == 3, "events: three names");
	is_str(e ? e->ids[0] : "", "cpu/event=0x9c,umask=1/", "events: terms of a PMU");
	is_str(e ? e->ids[1] : "", "dash-event", "events: a minus sign in a name");
	metric_expr__free(e);
	e = metric_expr__parse("A if #smt_on else B", &env, &err);
	ok(e && e->id_cnt == 1 && !strcmp(e->ids[0], "A"), "events: a branch not taken has none");
	metric_expr__free(e);
	e = metric_expr__parse("1.0 if EVENT1 > 100.0 else 1.0", &env, &err);
	ok(e && !e->id_cnt, "events: equal branches have none");
	metric_expr__free(e);
	e = metric_expr__parse("EVENT1 > 0 & 0", &env, &err);
	ok(e && !e->id_cnt, "events: a constant that decides has none");
	metric_expr__free(e);
}

static void check_refused(void)
{
	static const char *const all[] = {
		"",        "BAR/",  "1 +* 2", "(1",      "1)",        "min(1)",      "1 if 2",
		"if else", "#what", "a b",    "loop",    "1 $ 2",     "d_ratio(1,2", "has_event()",
		"--",      "1,2",   "\\",     "max(,1)", "(((((((((", "a if b else",
	};
	struct expr_error err;
	char *deep = malloc(100001), *wide = malloc(600001);
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		ok(!metric_expr__parse(all[i], &env, &err) && err.text[0], "refused: '%s'", all[i]);
	memset(deep, '(', 100000);
	deep[100000] = '\0';
	ok(!metric_expr__parse(deep, &env, &err), "refused: 100,000 parentheses");
	memset(deep, '-', 100000);
	ok(!metric_expr__parse(deep, &env, &err), "refused: 100,000 minus signs");
	memset(deep, 'x', 100000);
	ok(!metric_expr__parse(deep, &env, &err), "refused: a name of 100,000 characters");
	for (i = 0; i < 100000; i++)
		memcpy(wide + 6 * i, "FOO + ", 7);
	ok(!metric_expr__parse(wide, &env, &err), "refused: 100,000 operations");
	free(deep);
	free(wide);
}

/* Random bytes of the grammar: no crash, an expression or an error. */
static void check_random(void)
{
	static const char *const parts[] = { "(",    ")",   "+",    "-",         "*",
					     "/",    "%",   "min(", ",",         "if",
					     "else", "FOO", "1e3",  "#smt_on",   "|",
					     "&",    "<",   "\\",   "twice_foo", "d_ratio(",
					     " ",    "@",   "0",    "^",         ">" };
	unsigned int parsed = 0, i, j;
	struct expr_error err;
	char text[256];

	for (i = 0; i < 20000; i++) {
		struct metric_expr *e;

		text[0] = '\0';
		for (j = rnd(12) + 1; j > 0; j--)
			strcat(text, parts[rnd(sizeof(parts) / sizeof(*parts))]);
		e = metric_expr__parse(text, &env, &err);
		parsed += e != NULL;
		if (e) {
			const double counts[EXPR_IDS] = { 3, 5 };

			if (isnan(metric_expr__eval(e, counts))) {
				struct expr_blame blame;

				metric_expr__blame(e, counts, &blame);
				strbuf__free(&blame.divisor);
			}
		}
		metric_expr__free(e);
	}
	ok(parsed > 100, "random texts: some are expressions, and none crashes");
}

#define PHASES 60
#define SLICES 20
#define INPUTS 4

/*
 * One workload of phases with known rates, of which a counter, or a group, sees every second slice
 * or so. The sums of all slices must be within the bounds, if the slices not seen are mixtures of
 * slices seen.
 */
struct workload {
	double total[INPUTS], rates[INPUTS][SLICES];
	struct expr_input in[INPUTS];
};

static void make_workload(struct workload *w, bool grouped)
{
	double seen[INPUTS][SLICES] = { { 0 } };
	size_t i, k, j;

	memset(w, 0, sizeof(*w));
	for (k = 0; k < SLICES; k++) {
		const double level = 1 + (double)rnd(100);

		for (i = 0; i < INPUTS; i++)
			seen[i][k] = (double)rnd(1000) * level / 10 + 1;
	}
	for (i = 0; i < INPUTS; i++) {
		/* An input outside of the group waits at another time: its mixture is its own. */
		const uint64_t seed = grouped ? 0 : i;

		w->in[i].set = (unsigned int)seed;
		w->in[i].rates = w->rates[i];
		w->in[i].rate_cnt = SLICES;
		for (k = 0; k < SLICES; k++) {
			w->rates[i][k] = seen[i][k];
			w->in[i].counted += seen[i][k];
		}
		w->total[i] = w->in[i].counted;
		w->in[i].uncounted = PHASES;
	}
	for (j = 0; j < PHASES; j++) {
		double mix[SLICES], sum;

		for (i = 0; i < INPUTS; i++) {
			if (!grouped || !i) {
				for (sum = 0, k = 0; k < SLICES; k++)
					sum += mix[k] = rnd(4) ? 0 : (double)rnd(1000);
				mix[0] += sum == 0;
				for (sum += sum == 0, k = 0; k < SLICES; k++)
					mix[k] /= sum;
			}
			for (k = 0; k < SLICES; k++)
				w->total[i] += mix[k] * seen[i][k];
		}
	}
}

static void check_bounds(void)
{
	static const char *const all[] = {
		"A / B",
		"A / (A + B + C + D)",
		"1 - A / (A + B) - 5 * B / (A + B)",
		"max(1 - (A + B) / (A + B + C), 0)",
		"100 * ((1 - A / B) * (1 - C / (4 * D)))",
		"A / B if C > D else C / D",
		"d_ratio(A * 1000, min(B, C))",
		"(A - B) / C + D",
	};
	struct expr_range r;
	struct expr_error err;
	size_t i, j, k;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct metric_expr *e = metric_expr__parse(all[i], &env, &err);
		unsigned int outside = 0, bounded = 0;

		for (j = 0; j < 2000; j++) {
			struct expr_input in[INPUTS];
			double total[INPUTS], value;
			struct workload w;

			make_workload(&w, j % 2);
			for (k = 0; k < e->id_cnt; k++) {
				in[k] = w.in[e->ids[k][0] - 'A'];
				total[k] = w.total[e->ids[k][0] - 'A'];
			}
			metric_expr__range(e, in, &r);
			value = metric_expr__eval(e, total);
			outside += !(value >= r.lo && value <= r.hi);
			bounded += isfinite(r.lo) && isfinite(r.hi);
		}
		is_u64(outside, 0, "bounds of %s: 2,000 workloads within", all[i]);
		is_u64(bounded, 2000, "bounds of %s: all are finite", all[i]);
		metric_expr__free(e);
	}
}

/* The extremes of a ratio are those of whole slices, and both are reached. */
static void check_tight(void)
{
	static const double a[] = { 1, 8 }, b[] = { 4, 4 };
	struct expr_input in[] = { { 9, 10, a, 2, 0 }, { 8, 10, b, 2, 0 } };
	struct expr_error err;
	struct metric_expr *e = metric_expr__parse("A / B", &env, &err);
	struct expr_range r;

	metric_expr__range(e, in, &r);
	ok(fabs(r.lo - 19.0 / 48) < 1e-9, "bounds of a group's ratio: the lowest slice");
	ok(fabs(r.hi - 89.0 / 48) < 1e-9, "bounds of a group's ratio: the highest slice");
	in[0].uncounted = in[1].uncounted = 0;
	metric_expr__range(e, in, &r);
	ok(r.lo == 9.0 / 8 && r.hi == 9.0 / 8, "bounds of counts known in whole: the value");
	in[1].counted = 0;
	metric_expr__range(e, in, &r);
	ok(isinf(r.lo) && isinf(r.hi), "bounds of a division by 0: none");
	metric_expr__free(e);
}

int main(void)
{
	check_values();
	check_blame();
	check_ids();
	check_refused();
	check_random();
	check_bounds();
	check_tight();
	return done_testing();
}

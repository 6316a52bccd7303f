// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Values and bounds of chosen metrics, from the rows. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "stat/metric_set.h"
#include "stat/metric_set_priv.h"
#include "stat/rate_slices.h"
#include "stat/table.h"

/* perf prints two decimals, and one before a unit (kernel: tools/perf/util/stat-shadow.c). */
#define DIGITS 2
#define DIGITS_UNIT 1

/* One metric of one place. */
struct evaluation {
	const struct stat_table *table;
	const struct metric_set *set;
	const struct metric *metric;
	const struct stat_row *anchor;
	double counts[EXPR_IDS];
	struct expr_input inputs[EXPR_IDS];
	double *rates[EXPR_IDS]; /* owned */
	enum stat_state states[EXPR_IDS]; /* of the row that has no count, if one has none */
	double shared_pct; /* the least part of the time that an input counted */
	bool took_turns, has_few; /* too few slices for bounds */
};

/* A time counts for every place. */
static bool is_of_place(const struct stat_row *row, const struct stat_row *anchor)
{
	return row->ev->kind == EVENT_TOOL || stat_row__is_with(row, anchor);
}

/* Returns the row of an event at the anchor's place, or -1. */
static ssize_t find_row(const struct evaluation *v, const struct event *ev)
{
	size_t i;

	for (i = 0; i < v->table->cnt; i++)
		if (v->table->rows[i].ev == ev && is_of_place(&v->table->rows[i], v->anchor))
			return (ssize_t)i;
	return -1;
}

/* Times are seconds in an expression, other counts are in the unit of their row, as in perf. */
static double in_unit(const struct stat_row *row, double value)
{
	return row->ev->kind == EVENT_TOOL ? value / 1e9 : value;
}

static int fill_rates(struct evaluation *v, size_t id, size_t row)
{
	const struct rate_slices *s = stat_table__rates(v->table, row);
	struct expr_input *in = &v->inputs[id];
	double unit = stat_table__unit(v->table, row);
	size_t i;

	if (!s || s->cnt < RATE_SLICES_MIN) {
		v->has_few = true;
		return 0;
	}
	v->rates[id] = calloc(s->cnt, sizeof(double));
	if (!v->rates[id])
		return -ENOMEM;
	for (i = 0; i < s->cnt; i++)
		v->rates[id][i] = s->rates[i] * unit;
	in->rates = v->rates[id];
	in->rate_cnt = s->cnt;
	return 0;
}

/* Fills the input of an id from the row of one of its events. */
static int add_row(struct evaluation *v, size_t id, size_t at, bool is_only)
{
	const struct stat_row *row = &v->table->rows[at];
	struct expr_input *in = &v->inputs[id];
	double pct =
		row->enabled_ns ? 100.0 * (double)row->running_ns / (double)row->enabled_ns : 100;

	v->counts[id] += row->state == STAT_COUNTED ? in_unit(row, row->value) : NAN;
	in->counted += in_unit(row, row->counted);
	if (row->state != STAT_COUNTED)
		v->states[id] = row->state;
	if (row->state != STAT_COUNTED || row->running_ns >= row->enabled_ns)
		return 0;
	v->took_turns = true;
	v->shared_pct = fmin(v->shared_pct, pct);
	in->uncounted = (double)(row->enabled_ns - row->running_ns);
	if (is_only)
		return fill_rates(v, id, at);
	/* Several events take turns each at its own time. */
	v->has_few = true;
	return 0;
}

static int fill_input(struct evaluation *v, size_t id)
{
	const struct metric_input *in = &v->set->input_events[v->metric->inputs[id]];
	size_t i;
	int err = 0;

	v->inputs[id].set = (unsigned int)id;
	for (i = 0; i < in->cnt && !err; i++) {
		ssize_t row = find_row(v, in->events[i]);

		if (row < 0)
			v->counts[id] = NAN;
		else
			err = add_row(v, id, (size_t)row, in->cnt == 1);
	}
	if (!in->cnt)
		v->counts[id] = NAN;
	return err;
}

static const struct event *event_of(const struct evaluation *v, size_t id)
{
	return v->set->input_events[v->metric->inputs[id]].events[0];
}

/* Members of one group that counted in the same time have one set. */
static void join_sets(struct evaluation *v)
{
	size_t cnt = v->metric->expr->id_cnt, i, j;

	for (i = 0; i < cnt; i++)
		for (j = 0; j < i; j++) {
			const struct expr_input *a = &v->inputs[i], *b = &v->inputs[j];

			if (a->uncounted <= 0 || a->uncounted != b->uncounted ||
			    a->rate_cnt != b->rate_cnt || event_of(v, i)->group < 0 ||
			    event_of(v, i)->group != event_of(v, j)->group)
				continue;
			v->inputs[i].set = v->inputs[j].set;
			break;
		}
}

static const char *missing_text(enum stat_state state)
{
	return state == STAT_NOT_SUPPORTED ? "is not supported"
	       : state == STAT_NOT_COUNTED ? "was not counted"
					   : "was not counted here";
}

static void explain_missing(const struct evaluation *v, struct stat_named *named)
{
	struct expr_blame blame;
	const char *divisor;

	metric_expr__blame(v->metric->expr, v->counts, &blame);
	divisor = strbuf__cstr(&blame.divisor);
	if (blame.id >= 0)
		snprintf(named->why, sizeof(named->why), "%.160s %s",
			 v->metric->expr->ids[blame.id], missing_text(v->states[blame.id]));
	else if (!strcmp(divisor, "0"))
		snprintf(named->why, sizeof(named->why), "division by 0");
	else if (*divisor)
		snprintf(named->why, sizeof(named->why), "division by 0: %.160s is 0", divisor);
	else
		snprintf(named->why, sizeof(named->why), "its expression has no value");
	strbuf__free(&blame.divisor);
}

static int find_bounds(struct evaluation *v, struct stat_named *named)
{
	const double scale = v->metric->def->scale, value = named->metric.value;
	struct expr_range r;
	int err;

	join_sets(v);
	err = v->has_few ? 0 : metric_expr__range(v->metric->expr, v->inputs, &r);
	if (err)
		return err;
	if (v->has_few || !isfinite(r.lo) || !isfinite(r.hi)) {
		snprintf(named->why, sizeof(named->why),
			 "its events took turns and counted %.2f%% of the time; there are no "
			 "bounds: %s",
			 v->shared_pct,
			 v->has_few ? "too few turns" : "a divisor may have been 0 meanwhile");
		return 0;
	}
	/* The last turn may be in no slice, and the value is a mixture of all turns. */
	named->lo = fmin(value, fmin(r.lo * scale, r.hi * scale));
	named->hi = fmax(value, fmax(r.lo * scale, r.hi * scale));
	named->has_bounds = true;
	snprintf(named->why, sizeof(named->why),
		 "between %.*f and %.*f: its events took turns and counted %.2f%% of the time",
		 named->metric.digits, named->lo, named->metric.digits, named->hi, v->shared_pct);
	return 0;
}

static int evaluate(const struct metric_set *set, const struct stat_table *table, struct metric *m,
		    const struct stat_row *anchor, struct stat_named *named)
{
	struct evaluation v = {
		.table = table, .set = set, .metric = m, .anchor = anchor, .shared_pct = 100
	};
	bool has_unit = m->def->unit && *m->def->unit;
	size_t i;
	int err = 0;

	for (i = 0; i < m->expr->id_cnt && !err; i++)
		err = fill_input(&v, i);
	*named = (struct stat_named){ .name = m->def->name, .is_logged = &m->is_logged };
	named->metric =
		(struct stat_metric){ .value = metric_expr__eval(m->expr, v.counts) * m->def->scale,
				      .unit = has_unit ? m->def->unit : "",
				      .digits = has_unit ? DIGITS_UNIT : DIGITS };
	if (!err && isnan(named->metric.value))
		explain_missing(&v, named);
	else if (!err && v.took_turns)
		err = find_bounds(&v, named);
	for (i = 0; i < m->expr->id_cnt; i++)
		free(v.rates[i]);
	return err;
}

/* Evaluates the metrics of one row into named; returns their number, or -ENOMEM. */
static int derive_row(const struct metric_set *set, const struct stat_table *table,
		      const struct stat_row *row, struct stat_named *named)
{
	int cnt = 0, err;
	size_t i;

	for (i = 0; i < set->cnt; i++) {
		if (set->at[i].anchor != row->ev)
			continue;
		err = named ? evaluate(set, table, &set->at[i], row, &named[cnt]) : 0;
		if (err)
			return err;
		cnt++;
	}
	return cnt;
}

int metric_set__derive(struct metric_set *set, struct stat_table *table)
{
	struct stat_named *next;
	size_t all = 0, i;

	for (i = 0; i < table->cnt; i++)
		all += (size_t)derive_row(set, table, &table->rows[i], NULL);
	free(set->named);
	set->named = next = calloc(all ? all : 1, sizeof(*next));
	if (!next)
		return -ENOMEM;
	for (i = 0; i < table->cnt; i++) {
		int cnt = derive_row(set, table, &table->rows[i], next);

		if (cnt < 0)
			return cnt;
		table->rows[i].named = next;
		table->rows[i].named_cnt = (size_t)cnt;
		next += cnt;
	}
	return 0;
}

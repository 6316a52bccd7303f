// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/stat_store.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "event/event.h"
#include "sink/profile_json.h"
#include "sink/stat_printer.h"
#include "stat/table.h"

/* UCUM's name of a unit of stat. */
static const char *unit_of(const struct stat_row *row)
{
	if (!row->unit || !*row->unit)
		return "{event}";
	return !strcmp(row->unit, "msec") ? "ms" : !strcmp(row->unit, "Joules") ? "J" : row->unit;
}

static void put_point(struct series *s, const struct stat_row *row, const struct interval *iv)
{
	struct otlp_metrics *m = &s->metrics;
	char cpu[16] = "";

	otlp_metrics__begin_point(m, OTLP_SUM, iv->begin_real_ns, iv->end_real_ns);
	if (row->state == STAT_COUNTED)
		otlp_metrics__put_double(m, row->value);
	if (row->cpu >= 0)
		snprintf(cpu, sizeof(cpu), "%d", row->cpu);
	otlp_metrics__put_attr(m, "cpu.logical_number", cpu);
	otlp_metrics__put_attr(m, "thread.name", row->thread);
	otlp_metrics__put_attr(m, "bpfperf.place", row->place);
	/* The reason, as in the text of bpfperf stat. */
	otlp_metrics__put_attr(m, "bpfperf.why", row->why);
	if (row->state != STAT_COUNTED)
		otlp_metrics__put_no_value(m);
	otlp_metrics__end_point(m);
}

static bool is_first(const struct stat_table *t, size_t idx)
{
	size_t i;

	for (i = 0; i < idx; i++)
		if (!strcmp(t->rows[i].name, t->rows[idx].name))
			return false;
	return true;
}

/* Puts a metric for each name, with the rows of the name. */
static void put_metrics(struct series *s, const struct stat_table *t, const struct interval *iv)
{
	size_t first, i;

	for (first = 0; first < t->cnt; first++) {
		if (!is_first(t, first))
			continue;
		for (i = first; i < t->cnt; i++)
			if (!strcmp(t->rows[i].name, t->rows[first].name))
				put_point(s, &t->rows[i], iv);
		otlp_metrics__end_metric(&s->metrics, t->rows[first].name,
					 unit_of(&t->rows[first]));
	}
}

/* A row of the table bpfperf_counters. */
static void put_row(struct series *s, const struct stat_row *row)
{
	bool counted = row->state == STAT_COUNTED;

	strbuf__add(&s->msg, s->head.buf, s->head.len);
	profile_json__put_str(&s->msg, "event", row->name);
	profile_json__put_str(&s->msg, "unit", unit_of(row));
	profile_json__put_u64(&s->msg, "counted", counted);
	strbuf__printf(&s->msg, ",\"value\":%.17g", counted ? row->value : 0.0);
	profile_json__put_u64(&s->msg, "enabled_ns", row->enabled_ns);
	profile_json__put_u64(&s->msg, "running_ns", row->running_ns);
	strbuf__printf(&s->msg, ",\"cpu\":%d", row->cpu);
	profile_json__put_str(&s->msg, "thread", row->thread ? row->thread : "");
	profile_json__put_str(&s->msg, "cgroup", row->cgroup ? row->cgroup : "");
	profile_json__put_str(&s->msg, "place", row->place ? row->place : "");
	profile_json__put_str(&s->msg, "why", row->why ? row->why : "");
	strbuf__puts(&s->msg, "}\n");
}

/* For series__send(): ctx is the table. */
static void put_rows(void *ctx, struct series *s, const struct interval *iv)
{
	const struct stat_table *t = ctx;
	size_t i;

	if (!s->store.is_rows)
		put_metrics(s, t, iv);
	for (i = 0; s->store.is_rows && i < t->cnt; i++)
		put_row(s, &t->rows[i]);
}

/* For struct stat_printer. */
static int take_rows(void *ctx, const struct stat_table *t)
{
	struct interval iv = { .samples = t->cnt };
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	iv.end_real_ns = (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
	iv.begin_real_ns = iv.end_real_ns - (uint64_t)t->wall_ns;
	return series__send(ctx, &iv, put_rows, (void *)t);
}

void stat_store__connect(struct series *s, struct stat_printer *p)
{
	p->take = take_rows;
	p->take_ctx = s;
}

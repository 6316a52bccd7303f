// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/stat_table.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/threads.h"

#define ALL SIZE_MAX

struct stat_slot {
	ssize_t counter; /* -1: of EVENT_TOOL */
	size_t cpu_idx, tid_idx; /* ALL: summed up */
	char *name, *thread; /* owned */
	struct counter_count last;
	struct stat_mean value, raw, enabled, running;
	bool refused;
	bool skipped; /* in the last run */
};

void stat_mean__add(struct stat_mean *m, double value)
{
	double delta = value - m->mean;

	m->n++;
	m->mean += delta / m->n;
	m->m2 += delta * (value - m->mean);
}

double stat_mean__spread(const struct stat_mean *m)
{
	return m->n < 2 ? 0 : sqrt(m->m2 / (m->n - 1) / m->n);
}

static bool is_clock(const struct event *ev)
{
	return ev->type == PERF_TYPE_SOFTWARE &&
	       (ev->config == PERF_COUNT_SW_CPU_CLOCK || ev->config == PERF_COUNT_SW_TASK_CLOCK);
}

static const char *unit_of(const struct event *ev)
{
	if (is_clock(ev))
		return "msec";
	if (ev->kind == EVENT_TOOL)
		return "ns";
	return ev->unit ? ev->unit : "";
}

/* In the row's unit. */
static double convert(const struct event *ev, double count)
{
	return is_clock(ev) ? count / 1e6 : count * ev->scale;
}

static int add_row(struct stat_table *t, const struct event *ev, ssize_t counter, bool user_only)
{
	struct stat_row *rows = reallocarray(t->rows, t->cnt + 1, sizeof(*rows));
	struct stat_slot *slots;

	if (!rows)
		return -ENOMEM;
	t->rows = rows;
	slots = reallocarray(t->slots, t->cnt + 1, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	t->slots = slots;
	memset(&slots[t->cnt], 0, sizeof(*slots));
	slots[t->cnt].counter = counter;
	slots[t->cnt].cpu_idx = slots[t->cnt].tid_idx = ALL;
	/* As perf names what it counts without the kernel, for want of rights. */
	if (asprintf(&slots[t->cnt].name, user_only ? "%s:u" : "%s", ev->name) < 0)
		return -ENOMEM;
	rows[t->cnt] = (struct stat_row){
		.ev = ev, .name = slots[t->cnt].name, .unit = unit_of(ev), .cpu = -1
	};
	t->cnt++;
	return 0;
}

/* The rows of one event. */
static int add_rows(struct stat_table *t, const struct event *ev, ssize_t counter,
		    const struct counters *c, enum stat_apart apart)
{
	bool user_only = counter >= 0 && counters__refusal(c, (size_t)counter).user_only;
	size_t cnt = 1, i;
	int err = 0;

	if (counter >= 0 && apart == STAT_BY_CPU)
		cnt = counters__cpu_cnt(c, (size_t)counter);
	if (counter >= 0 && apart == STAT_BY_THREAD)
		cnt = counters__tid_cnt(c, (size_t)counter);
	for (i = 0; i < cnt && !err; i++) {
		err = add_row(t, ev, counter, user_only);
		if (err || counter < 0)
			continue;
		if (apart == STAT_BY_CPU) {
			t->slots[t->cnt - 1].cpu_idx = i;
			t->rows[t->cnt - 1].cpu = counters__cpu(c, (size_t)counter, i);
		} else if (apart == STAT_BY_THREAD) {
			char *label = threads__label(counters__tid(c, (size_t)counter, i));

			t->slots[t->cnt - 1].tid_idx = i;
			t->slots[t->cnt - 1].thread = label;
			t->rows[t->cnt - 1].thread = label;
			err = label ? 0 : -ENOMEM;
		}
	}
	return err;
}

int stat_table__init(struct stat_table *t, const struct event_list *events,
		     const struct counters *counters, enum stat_apart apart)
{
	ssize_t counter = 0;
	size_t i;
	int err = 0;

	memset(t, 0, sizeof(*t));
	for (i = 0; i < events->cnt && !err; i++) {
		const struct event *ev = events->events[i];

		err = add_rows(t, ev, ev->kind == EVENT_TOOL ? -1 : counter++, counters, apart);
	}
	return err;
}

void stat_table__free(struct stat_table *t)
{
	size_t i;

	for (i = 0; i < t->cnt; i++) {
		free(t->slots[i].name);
		free(t->slots[i].thread);
	}
	free(t->rows);
	free(t->slots);
	memset(t, 0, sizeof(*t));
}

static struct counter_count sum_cells(const struct counters *c, const struct stat_slot *slot)
{
	size_t ev = (size_t)slot->counter, cpu, tid;
	struct counter_count sum = { 0 }, one;

	for (cpu = 0; cpu < counters__cpu_cnt(c, ev); cpu++)
		for (tid = 0; tid < counters__tid_cnt(c, ev); tid++) {
			if ((slot->cpu_idx != ALL && slot->cpu_idx != cpu) ||
			    (slot->tid_idx != ALL && slot->tid_idx != tid))
				continue;
			one = counters__count(c, ev, cpu, tid);
			counter_count__add(&sum, &one);
		}
	return sum;
}

/* A time as if it were a counter, which ran all the time. */
static struct counter_count count_of(const struct event *ev, const struct stat_times *times)
{
	uint64_t ns = ev->config == EVENT_TOOL_USER     ? times->user_ns
		      : ev->config == EVENT_TOOL_SYSTEM ? times->system_ns
							: times->wall_ns;

	return (struct counter_count){ ns, times->wall_ns, times->wall_ns };
}

static bool is_skipped(const struct counters *c, ssize_t counter)
{
	return counters__refusal(c, (size_t)counter).state == COUNTER_SKIPPED;
}

void stat_table__take(struct stat_table *t, const struct counters *counters,
		      const struct stat_times *times)
{
	size_t i;

	for (i = 0; i < t->cnt; i++) {
		struct stat_slot *slot = &t->slots[i];
		struct counter_count now, since;

		slot->skipped = slot->counter >= 0 && is_skipped(counters, slot->counter);
		if (slot->skipped)
			continue;
		now = slot->counter < 0 ? count_of(t->rows[i].ev, times)
					: sum_cells(counters, slot);
		since = counter_count__since(&now, &slot->last);
		slot->last = now;
		slot->refused =
			slot->counter >= 0 &&
			counters__refusal(counters, (size_t)slot->counter).state == COUNTER_REFUSED;
		stat_mean__add(&slot->enabled, (double)since.enabled_ns);
		stat_mean__add(&slot->running, (double)since.running_ns);
		if (!since.running_ns)
			continue;
		stat_mean__add(&slot->raw, (double)since.value);
		stat_mean__add(&slot->value, (double)counter_count__scaled(&since));
	}
}

void stat_table__restart(struct stat_table *t)
{
	size_t i;

	for (i = 0; i < t->cnt; i++)
		memset(&t->slots[i].last, 0, sizeof(t->slots[i].last));
}

void stat_table__clear(struct stat_table *t)
{
	const struct stat_mean none = { 0 };
	size_t i;

	for (i = 0; i < t->cnt; i++) {
		struct stat_slot *slot = &t->slots[i];

		slot->value = slot->raw = slot->enabled = slot->running = none;
	}
}

void stat_table__finish(struct stat_table *t, bool raw)
{
	size_t i;

	for (i = 0; i < t->cnt; i++) {
		const struct stat_slot *slot = &t->slots[i];
		const struct stat_mean *value = raw ? &slot->raw : &slot->value;
		struct stat_row *row = &t->rows[i];

		row->enabled_ns = (uint64_t)slot->enabled.mean;
		row->running_ns = (uint64_t)slot->running.mean;
		row->value = convert(row->ev, value->mean);
		row->spread_pct =
			value->mean > 0 ? 100 * stat_mean__spread(value) / value->mean : 0;
		row->state = slot->refused  ? STAT_NOT_SUPPORTED
			     : value->n > 0 ? STAT_COUNTED
					    : STAT_NOT_COUNTED;
	}
	stat_metric__derive(t->rows, t->cnt, t->wall_ns);
}

ssize_t stat_table__counter(const struct stat_table *t, size_t row)
{
	return t->slots[row].counter;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "stat/table.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat/aggr.h"
#include "stat/rate_slices.h"
#include "target/threads.h"

struct stat_slot {
	ssize_t counter; /* -1: a row of EVENT_TOOL */
	int *cpus; /* owned; the CPUs summed up; NULL: all */
	size_t cpu_cnt;
	pid_t tid; /* -1: all threads, summed up */
	char *thread; /* owned */
	char *name; /* owned; name of an event counted without the kernel; else NULL */
	struct counter_count last;
	struct stat_mean value, raw, enabled, running;
	bool refused;
	bool in_error; /* one of its cells is in error state */
	bool skipped; /* it was not in the last run */
	struct rate_slices *rates; /* owned; NULL: none were noted */
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

static const char *unit_of(const struct event *ev)
{
	if (event__is_clock(ev))
		return "msec";
	if (ev->kind == EVENT_TOOL)
		return "ns";
	return ev->unit ? ev->unit : "";
}

/* Converts a count to the row's unit. */
static double convert(const struct event *ev, double count)
{
	return event__is_clock(ev) ? count / 1e6 : count * ev->scale;
}

static int add_row(struct stat_table *t, const struct event *ev, const char *cgroup,
		   ssize_t counter)
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
	slots[t->cnt].tid = -1;
	rows[t->cnt] = (struct stat_row){
		.ev = ev, .name = ev->name, .unit = unit_of(ev), .cpu = -1, .cgroup = cgroup
	};
	t->cnt++;
	return 0;
}

/* Restricts the row just added to one CPU. */
static int set_cpu(struct stat_table *t, int cpu)
{
	struct stat_slot *slot = &t->slots[t->cnt - 1];

	slot->cpus = malloc(sizeof(*slot->cpus));
	if (!slot->cpus)
		return -ENOMEM;
	slot->cpus[0] = t->rows[t->cnt - 1].cpu = cpu;
	slot->cpu_cnt = 1;
	return 0;
}

static int set_thread(struct stat_table *t, pid_t tid)
{
	struct stat_slot *slot = &t->slots[t->cnt - 1];

	slot->tid = tid;
	slot->thread = threads__label(tid);
	t->rows[t->cnt - 1].thread = slot->thread;
	return slot->thread ? 0 : -ENOMEM;
}

/* Adds the rows of one event. */
static int add_rows(struct stat_table *t, const struct event *ev, const char *cgroup,
		    ssize_t counter, const struct perf_counters *c)
{
	bool by_cpu = counter >= 0 && t->apart == STAT_BY_CPU;
	bool by_thread = counter >= 0 && t->apart == STAT_BY_THREAD;
	size_t cnt = 1, i;
	int err = 0;

	if (by_cpu)
		cnt = perf_counters__cpu_cnt(c, (size_t)counter);
	if (by_thread)
		cnt = perf_counters__tid_cnt(c, (size_t)counter);
	for (i = 0; i < cnt && !err; i++) {
		err = add_row(t, ev, cgroup, counter);
		if (!err && by_cpu)
			err = set_cpu(t, perf_counters__cpu(c, (size_t)counter, i));
		if (!err && by_thread)
			err = set_thread(t, perf_counters__tid(c, (size_t)counter, i));
	}
	return err;
}

/* Adds the rows of one place; an event that does not count there has no row. */
static int add_place(struct stat_table *t, const struct event_list *events,
		     const char *const *cgroups, const struct perf_counters *c, size_t place)
{
	ssize_t counter = 0;
	size_t i, cpu_cnt;
	int *cpus, err;

	for (i = 0; i < events->cnt; i++) {
		if (events->events[i]->kind == EVENT_TOOL)
			continue;
		err = aggr_ids__cpus(t->places, place, c, (size_t)counter, &cpus, &cpu_cnt);
		if (!err && cpu_cnt)
			err = add_row(t, events->events[i], cgroups ? cgroups[i] : NULL, counter);
		if (err || !cpu_cnt) {
			free(cpus);
		} else {
			t->slots[t->cnt - 1].cpus = cpus;
			t->slots[t->cnt - 1].cpu_cnt = cpu_cnt;
			t->rows[t->cnt - 1].place = t->places->at[place].label;
			t->rows[t->cnt - 1].place_cpu_cnt = cpu_cnt;
		}
		if (err)
			return err;
		counter++;
	}
	return 0;
}

static int add_places(struct stat_table *t, const struct event_list *events,
		      const char *const *cgroups, const struct perf_counters *c, size_t counter_cnt)
{
	static const enum topology_level levels[] = {
		[STAT_BY_NODE] = TOPOLOGY_NODE,       [STAT_BY_SOCKET] = TOPOLOGY_SOCKET,
		[STAT_BY_DIE] = TOPOLOGY_DIE,         [STAT_BY_CORE] = TOPOLOGY_CORE,
		[STAT_BY_CLUSTER] = TOPOLOGY_CLUSTER, [STAT_BY_CACHE] = TOPOLOGY_CACHE,
	};
	size_t i;
	int err;

	t->places = calloc(1, sizeof(*t->places));
	if (!t->places)
		return -ENOMEM;
	err = aggr_ids__find(t->places, c, counter_cnt, levels[t->apart] + t->cache_level);
	for (i = 0; i < t->places->cnt && !err; i++)
		err = add_place(t, events, cgroups, c, i);
	for (i = 0; i < events->cnt && !err; i++)
		if (events->events[i]->kind == EVENT_TOOL)
			err = add_row(t, events->events[i], NULL, -1);
	return err;
}

int stat_table__init(struct stat_table *t, const struct event_list *events,
		     const char *const *cgroups, const struct perf_counters *counters,
		     enum aggr_mode apart, unsigned int cache_level)
{
	size_t i, counter_cnt = 0;
	ssize_t counter = 0;
	int err = 0;

	memset(t, 0, sizeof(*t));
	t->apart = apart;
	t->cache_level = apart == STAT_BY_CACHE ? cache_level : 0;
	for (i = 0; i < events->cnt; i++)
		counter_cnt += events->events[i]->kind != EVENT_TOOL;
	if (apart >= STAT_BY_NODE)
		return add_places(t, events, cgroups, counters, counter_cnt);
	for (i = 0; i < events->cnt && !err; i++) {
		const struct event *ev = events->events[i];

		err = add_rows(t, ev, cgroups ? cgroups[i] : NULL,
			       ev->kind == EVENT_TOOL ? -1 : counter++, counters);
	}
	return err;
}

void stat_table__free(struct stat_table *t)
{
	size_t i;

	for (i = 0; i < t->cnt; i++) {
		free(t->slots[i].name);
		free(t->slots[i].thread);
		free(t->slots[i].cpus);
		free(t->slots[i].rates);
	}
	if (t->places)
		aggr_ids__free(t->places);
	free(t->places);
	free(t->rows);
	free(t->slots);
	memset(t, 0, sizeof(*t));
}

static bool has_cpu(const struct stat_slot *slot, int cpu)
{
	size_t i;

	for (i = 0; i < slot->cpu_cnt; i++)
		if (slot->cpus[i] == cpu)
			return true;
	return !slot->cpu_cnt;
}

/* Compares CPU and thread numbers, not indexes: another run may have other threads. */
static bool is_cell(const struct stat_slot *slot, const struct perf_counters *c, size_t cpu,
		    size_t tid)
{
	size_t ev = (size_t)slot->counter;

	return has_cpu(slot, perf_counters__cpu(c, ev, cpu)) &&
	       (slot->tid < 0 || slot->tid == perf_counters__tid(c, ev, tid));
}

static struct counter_count sum_cells(const struct perf_counters *c, struct stat_slot *slot)
{
	size_t ev = (size_t)slot->counter, cpu, tid;
	struct counter_count sum = { 0 }, one;

	slot->in_error = false;
	for (cpu = 0; cpu < perf_counters__cpu_cnt(c, ev); cpu++) {
		for (tid = 0; tid < perf_counters__tid_cnt(c, ev); tid++) {
			if (!is_cell(slot, c, cpu, tid))
				continue;
			one = perf_counters__count(c, ev, cpu, tid);
			counter_count__add(&sum, &one);
			slot->in_error |= perf_counters__cell_in_error(c, ev, cpu, tid);
		}
	}
	return sum;
}

/* Returns a time in the form of a counter that ran all the time. */
static struct counter_count count_of(const struct event *ev, const struct stat_times *times)
{
	uint64_t ns = ev->config == EVENT_TOOL_USER     ? times->user_ns
		      : ev->config == EVENT_TOOL_SYSTEM ? times->system_ns
							: times->wall_ns;

	return (struct counter_count){ ns, times->wall_ns, times->wall_ns };
}

static bool is_skipped(const struct perf_counters *c, ssize_t counter)
{
	return perf_counters__refusal(c, (size_t)counter).state == COUNTER_SKIPPED;
}

/*
 * perf adds a modifier to the name of an event that it counts without the kernel for lack of
 * permission. It is known once the event is opened: with --fit, in the run that counts it.
 */
static void name_user_only(struct stat_table *t, size_t row, const struct perf_counters *c)
{
	struct stat_slot *slot = &t->slots[row];

	if (slot->name || slot->counter < 0 ||
	    !perf_counters__refusal(c, (size_t)slot->counter).user_only)
		return;
	if (asprintf(&slot->name, "%s:u", t->rows[row].ev->name) < 0)
		slot->name = NULL;
	else
		t->rows[row].name = slot->name;
}

void stat_table__take(struct stat_table *t, const struct perf_counters *counters,
		      const struct stat_times *times)
{
	size_t i;

	for (i = 0; i < t->cnt; i++) {
		struct stat_slot *slot = &t->slots[i];
		struct counter_count now, since;

		slot->skipped = slot->counter >= 0 && is_skipped(counters, slot->counter);
		if (slot->skipped)
			continue;
		name_user_only(t, i, counters);
		now = slot->counter < 0 ? count_of(t->rows[i].ev, times)
					: sum_cells(counters, slot);
		since = counter_count__since(&now, &slot->last);
		slot->last = now;
		slot->refused = slot->counter >= 0 &&
				perf_counters__refusal(counters, (size_t)slot->counter).state ==
					COUNTER_REFUSED;
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

	for (i = 0; i < t->cnt; i++) {
		memset(&t->slots[i].last, 0, sizeof(t->slots[i].last));
		if (t->slots[i].rates)
			t->slots[i].rates->value = t->slots[i].rates->running_ns = 0;
	}
}

void stat_table__forget_rates(struct stat_table *t)
{
	size_t i;

	for (i = 0; i < t->cnt; i++) {
		if (!t->slots[i].rates)
			continue;
		t->slots[i].rates->cnt = 0;
		t->slots[i].rates->slice_ns = 0;
	}
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
		row->counted = convert(row->ev, slot->raw.mean);
		row->spread_pct =
			value->mean > 0 ? 100 * stat_mean__spread(value) / value->mean : 0;
		row->state = slot->refused  ? STAT_NOT_SUPPORTED
			     : value->n > 0 ? STAT_COUNTED
					    : STAT_NOT_COUNTED;
	}
	stat_metric__derive(t->rows, t->cnt, t->wall_ns);
}

bool stat_table__note_rates(struct stat_table *t, const struct perf_counters *counters)
{
	bool has_turns = false;
	size_t i;

	for (i = 0; i < t->cnt; i++) {
		struct stat_slot *slot = &t->slots[i];
		struct counter_count now;

		if (slot->counter < 0 || is_skipped(counters, slot->counter))
			continue;
		now = sum_cells(counters, slot);
		/* A counter that always runs misses nothing. */
		if (now.running_ns == now.enabled_ns && !slot->rates)
			continue;
		has_turns = true;
		if (!slot->rates)
			slot->rates = calloc(1, sizeof(*slot->rates));
		if (slot->rates)
			rate_slices__take(slot->rates, &now);
	}
	return has_turns;
}

const struct rate_slices *stat_table__rates(const struct stat_table *t, size_t row)
{
	return t->slots[row].rates;
}

double stat_table__unit(const struct stat_table *t, size_t row)
{
	return convert(t->rows[row].ev, 1);
}

ssize_t stat_table__counter(const struct stat_table *t, size_t row)
{
	return t->slots[row].counter;
}

bool stat_table__in_error(const struct stat_table *t, size_t row)
{
	return t->slots[row].in_error;
}

bool stat_table__is_over(const struct stat_table *t, const struct perf_counters *c, size_t row)
{
	const struct stat_slot *slot = &t->slots[row];
	size_t ev = (size_t)slot->counter, tid;

	for (tid = 0; tid < perf_counters__tid_cnt(c, ev); tid++)
		if ((slot->tid < 0 || slot->tid == perf_counters__tid(c, ev, tid)) &&
		    !perf_counters__is_over(c, ev, tid))
			return false;
	return true;
}

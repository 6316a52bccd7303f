// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "stat/fit.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/event.h"
#include "host/sysctl.h"
#include "perf/perf_counters.h"

/* The events of one group on one PMU, which are scheduled together. */
struct unit {
	size_t first; /* the group's first event, or the event alone */
	bool alone; /* without its group, which is split due to W */
	bool exclusive; /* no other unit may be on the PMU in its run */
	size_t run;
};

struct fit {
	const struct event *const *events;
	size_t cnt;
	int cpu;
	uint32_t pmu; /* the PMU to fit */
	struct unit *units;
	size_t unit_cnt;
	bool *is_alone; /* by event: a PMU has taken it out of its group */
	bool watchdog;
};

/* Returns the bits of an event that determine its PMU; 0: it needs no counter. */
static uint32_t pmu_of(const struct event *ev)
{
	if (event__is_hw(ev))
		return UINT32_MAX;
	return ev->kind == EVENT_PMU ? ev->type : 0;
}

static bool are_grouped(const struct fit *f, size_t a, size_t b)
{
	return a == b || (f->events[a]->group >= 0 && f->events[a]->group == f->events[b]->group);
}

static bool is_of(const struct fit *f, const struct unit *unit, size_t ev)
{
	return unit->alone ? ev == unit->first : are_grouped(f, unit->first, ev);
}

/* Returns the leader, which has the attributes of the group. */
static const struct event *leader_of(const struct fit *f, size_t ev)
{
	size_t i = 0;

	while (!are_grouped(f, i, ev))
		i++;
	return f->events[i];
}

/* Checks whether these events can be opened as one group. */
static bool can_open(const struct fit *f, const struct event *const *events, size_t cnt)
{
	pid_t self = getpid();
	struct perf_counters_config cfg = {
		.events = events,
		.event_cnt = cnt,
		.cpus = f->cpu >= 0 ? &f->cpu : NULL,
		.cpu_cnt = f->cpu >= 0,
		.tids = f->cpu >= 0 ? NULL : &self,
		.tid_cnt = f->cpu < 0,
		.cgroup_fd = -1,
		/* arm64 omits disabled events from its check of a group's size. */
		.start = COUNTERS_RUNNING,
	};
	struct perf_counters *c = perf_counters__open(&cfg);
	bool all = c != NULL;
	size_t i;

	for (i = 0; i < cnt && all; i++)
		all = perf_counters__refusal(c, i).state == COUNTER_COUNTS;
	perf_counters__free(c);
	return all;
}

/* Returns a copy without its group: the event is tried in another one. */
static struct event in_group(const struct event *ev)
{
	struct event copy = *ev;

	copy.group = 0;
	copy.pinned = copy.exclusive = copy.weak_group = false;
	return copy;
}

/* Checks whether the units of this set fit on the PMU together with the watchdog. */
static bool fits(const struct fit *f, uint64_t set)
{
	struct event *copies = calloc(f->cnt + 1, sizeof(*copies));
	const struct event **list = calloc(f->cnt + 1, sizeof(*list));
	size_t n = 0, i, j;
	bool good = false;

	/* The kernel would accept an exclusive unit, but schedule nothing else on the PMU. */
	for (i = 0; i < f->unit_cnt; i++)
		if (set >> i & 1 && f->units[i].exclusive && set & (set - 1))
			goto cleanup;
	if (!copies || !list)
		goto cleanup;
	if (f->watchdog)
		copies[n++] = (struct event){ .kind = EVENT_HARDWARE,
					      .type = PERF_TYPE_HARDWARE,
					      .config = PERF_COUNT_HW_CPU_CYCLES };
	for (i = 0; i < f->unit_cnt; i++)
		for (j = 0; j < f->cnt && set >> i & 1; j++)
			if (pmu_of(f->events[j]) == f->pmu && is_of(f, &f->units[i], j))
				copies[n++] = in_group(f->events[j]);
	for (i = 0; i < n; i++)
		list[i] = &copies[i];
	good = can_open(f, list, n);
cleanup:
	free(copies);
	free(list);
	return good;
}

static bool is_collected(const struct fit *f, size_t ev)
{
	size_t i;

	for (i = 0; i < f->unit_cnt; i++)
		if (is_of(f, &f->units[i], ev))
			return true;
	return false;
}

static bool add_unit(struct fit *f, size_t ev, bool alone)
{
	f->units[f->unit_cnt++] = (struct unit){ .first = ev,
						 .alone = alone,
						 .exclusive = leader_of(f, ev)->exclusive };
	if (fits(f, 1ull << (f->unit_cnt - 1)))
		return true;
	f->unit_cnt--;
	return false;
}

/* Collects the units of f->pmu that can be counted at all. A set has at most 64 units. */
static int collect(struct fit *f)
{
	size_t i;

	f->unit_cnt = 0;
	for (i = 0; i < f->cnt; i++) {
		if (pmu_of(f->events[i]) != f->pmu || is_collected(f, i))
			continue;
		if (f->unit_cnt == 64)
			return -E2BIG;
		if (!add_unit(f, i, false) && leader_of(f, i)->weak_group)
			add_unit(f, i, true);
	}
	return 0;
}

/*
 * best[set]: fewest runs for the set; last[set]: its last run. A set's lowest unit is in some run,
 * and runs can be reordered, so only last runs with that unit are tried.
 */
static int fit_exactly(struct fit *f)
{
	uint64_t full = (1ull << f->unit_cnt) - 1, set, part;
	uint8_t *best = calloc(full + 1, 1);
	uint64_t *last = calloc(full + 1, sizeof(*last));
	bool *fit = calloc(full + 1, sizeof(*fit));
	size_t run = 0, i;

	if (!best || !last || !fit) {
		free(best);
		free(last);
		free(fit);
		return -ENOMEM;
	}
	for (set = 1; set <= full; set++) {
		uint64_t low = set & -set, rest = set ^ low;

		/* If the set without one unit does not fit, neither does the set. */
		fit[set] = !rest || (fit[rest] && fits(f, set));
		best[set] = UINT8_MAX;
		for (part = set; part; part = (part - 1) & set) {
			if (!(part & low) || !fit[part] || best[set ^ part] + 1 >= best[set])
				continue;
			best[set] = best[set ^ part] + 1;
			last[set] = part;
		}
	}
	for (set = full; set; set ^= last[set], run++)
		for (i = 0; i < f->unit_cnt; i++)
			if (last[set] >> i & 1)
				f->units[i].run = run;
	free(best);
	free(last);
	free(fit);
	return 0;
}

/* Puts each unit into the first run that it fits into. */
static void fit_first(struct fit *f)
{
	uint64_t runs[64] = { 0 };
	size_t i, r;

	for (i = 0; i < f->unit_cnt; i++) {
		for (r = 0; r < i && runs[r] && !fits(f, runs[r] | 1ull << i); r++)
			;
		runs[r] |= 1ull << i;
		f->units[i].run = r;
	}
}

/* Moves a group on all its PMUs, except members that a PMU has taken out of it. */
static void move_to(struct fit *f, const struct unit *unit, size_t ev, size_t *run)
{
	if (!is_of(f, unit, ev) || (f->is_alone[ev] && pmu_of(f->events[ev]) != f->pmu))
		return;
	if (unit->alone || unit->run > *run)
		*run = unit->run;
	f->is_alone[ev] |= unit->alone;
}

static int fit_pmu(struct fit *f, size_t *run, size_t *run_cnt)
{
	size_t i, j;
	int err = collect(f);

	if (err)
		return err;
	if (f->unit_cnt <= STAT_FIT_EXACT)
		err = fit_exactly(f);
	else
		fit_first(f);
	for (i = 0; i < f->unit_cnt && !err; i++) {
		if (f->units[i].run >= *run_cnt)
			*run_cnt = f->units[i].run + 1;
		for (j = 0; j < f->cnt; j++)
			move_to(f, &f->units[i], j, &run[j]);
	}
	return err;
}

int stat_fit__find(const struct event *const *events, size_t cnt, int cpu, size_t *run,
		   size_t *run_cnt)
{
	struct fit f = { .events = events, .cnt = cnt, .cpu = cpu };
	long on = 0;
	size_t i, j;
	int err = 0;

	memset(run, 0, cnt * sizeof(*run));
	*run_cnt = 1;
	f.units = calloc(cnt ? cnt : 1, sizeof(*f.units));
	f.is_alone = calloc(cnt ? cnt : 1, sizeof(*f.is_alone));
	if (!f.units || !f.is_alone)
		err = -ENOMEM;
	for (i = 0; i < cnt && !err; i++) {
		f.pmu = pmu_of(events[i]);
		for (j = 0; j < i && pmu_of(events[j]) != f.pmu; j++)
			;
		if (!f.pmu || j < i)
			continue;
		f.watchdog = f.pmu == UINT32_MAX && !sysctl__nmi_watchdog(&on) && on;
		err = fit_pmu(&f, run, run_cnt);
	}
	free(f.units);
	free(f.is_alone);
	return err;
}

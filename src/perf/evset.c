// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The layout of cells, groups, and operations on open fds; evset_open.c opens them. */
#include "perf/evset.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "event/event.h"
#include "perf/detach.h"
#include "target/targets.h"

static const int any_cpu = -1;
static const pid_t any_task = -1;

int evset__init(struct evset *set, size_t cap)
{
	*set = (struct evset){ .events = calloc(cap ? cap : 1, sizeof(*set->events)), .cap = cap };
	return set->events ? 0 : -ENOMEM;
}

static bool is_tracepoint(const struct evsel *sel)
{
	return sel->ev && sel->ev->kind == EVENT_TRACEPOINT;
}

void evsel__close(struct evsel *sel)
{
	size_t i;

	for (i = 0; sel->fds && i < evsel__cell_cnt(sel); i++) {
		if (sel->fds[i] >= 0)
			close(sel->fds[i]);
		sel->fds[i] = -1;
	}
}

/* One child closes the tracepoints of all events. */
static void detach_tracepoints(struct evset *set)
{
	size_t cnt = 0, i;
	int *fds;

	for (i = 0; i < set->cnt; i++)
		if (is_tracepoint(&set->events[i]) && evsel__is_open(&set->events[i]))
			cnt += evsel__cell_cnt(&set->events[i]);
	fds = cnt ? calloc(cnt, sizeof(*fds)) : NULL;
	if (!fds)
		return;
	cnt = 0;
	for (i = 0; i < set->cnt; i++) {
		struct evsel *sel = &set->events[i];
		size_t cells = evsel__cell_cnt(sel);

		if (!is_tracepoint(sel) || !evsel__is_open(sel))
			continue;
		memcpy(&fds[cnt], sel->fds, cells * sizeof(*fds));
		memset(sel->fds, -1, cells * sizeof(*fds));
		cnt += cells;
	}
	detach__fds(fds, cnt);
	free(fds);
}

void evset__free(struct evset *set)
{
	size_t i;

	if (!set->kept_alive)
		detach_tracepoints(set);
	for (i = 0; i < set->cnt; i++) {
		struct evsel *sel = &set->events[i];

		evsel__close(sel);
		free(sel->fds);
		free(sel->cpus);
		free(sel->tids);
	}
	free(set->events);
	*set = (struct evset){ 0 };
}

static bool has_cpu(const struct targets *pmu, int cpu)
{
	size_t i;

	for (i = 0; i < pmu->cpu_cnt; i++)
		if (pmu->cpus[i] == cpu)
			return true;
	return false;
}

/* Copies the CPUs that the PMU lists; all of them if it lists none. */
static int copy_cpus(struct evsel *sel, const int *cpus, size_t cnt, const struct targets *pmu)
{
	size_t i;

	sel->cpus = calloc(cnt ? cnt : 1, sizeof(*sel->cpus));
	if (!sel->cpus)
		return -ENOMEM;
	for (i = 0; i < cnt; i++)
		if (!pmu->cpus || has_cpu(pmu, cpus[i]))
			sel->cpus[sel->cpu_cnt++] = cpus[i];
	return 0;
}

static int choose_cpus(struct evsel *sel, const struct evset_target *t)
{
	const struct targets all = { 0 };
	struct targets pmu = { 0 };
	int err = 0;

	if (!t->cpu_cnt && !t->system_wide)
		return copy_cpus(sel, &any_cpu, 1, &pmu);
	if (sel->ev && sel->ev->cpus)
		err = targets__set_cpus(&pmu, sel->ev->cpus);
	else if (!t->cpu_cnt)
		err = targets__resolve_cpus(&all, &pmu.cpus, &pmu.cpu_cnt);
	if (!err)
		err = t->cpu_cnt ? copy_cpus(sel, t->cpus, t->cpu_cnt, &pmu)
				 : copy_cpus(sel, pmu.cpus, pmu.cpu_cnt, &pmu);
	targets__free(&pmu);
	return err;
}

int evset__add(struct evset *set, const struct event *ev, const struct evset_target *t)
{
	const pid_t *tids = t->tid_cnt && !t->system_wide ? t->tids : &any_task;
	size_t tid_cnt = tids == t->tids ? t->tid_cnt : 1, cells;
	struct evsel *sel;
	int err;

	if (set->cnt == set->cap)
		return -ENOSPC;
	sel = &set->events[set->cnt];
	*sel = (struct evsel){
		.ev = ev,
		.name = ev ? ev->name : NULL,
		.leader = set->cnt++,
		.member_cnt = 1,
		.inherit_cnt = tid_cnt > t->noinherit_cnt ? tid_cnt - t->noinherit_cnt : 0,
		.cgroup_fd = t->cgroup_fd >= 0 && !t->system_wide ? t->cgroup_fd : -1,
	};
	err = choose_cpus(sel, t);
	if (err)
		return err;
	cells = sel->cpu_cnt * tid_cnt;
	sel->tids = calloc(tid_cnt, sizeof(*sel->tids));
	sel->fds = calloc(cells ? cells : 1, sizeof(*sel->fds));
	if (!sel->tids || !sel->fds)
		return -ENOMEM;
	sel->tid_cnt = tid_cnt;
	memcpy(sel->tids, tids, tid_cnt * sizeof(*tids));
	memset(sel->fds, -1, (cells ? cells : 1) * sizeof(*sel->fds));
	return 0;
}

static int group_of(const struct evsel *sel)
{
	return sel->ev ? sel->ev->group : -1;
}

static bool have_same_cells(const struct evsel *a, const struct evsel *b)
{
	return a->cpu_cnt == b->cpu_cnt && a->tid_cnt == b->tid_cnt &&
	       !memcmp(a->cpus, b->cpus, a->cpu_cnt * sizeof(*a->cpus)) &&
	       !memcmp(a->tids, b->tids, a->tid_cnt * sizeof(*a->tids));
}

/*
 * Modifier W lets a group be spread over several runs: each run opens some members and skips the
 * others.
 */
static bool is_cut(const struct evset *set, const struct evsel *sel)
{
	size_t i;

	for (i = 0; i < set->cnt && group_of(sel) >= 0; i++)
		if (group_of(&set->events[i]) == group_of(sel) &&
		    set->events[i].skipped != sel->skipped)
			return true;
	return false;
}

void evset__form_groups(struct evset *set)
{
	size_t i, leader = 0;

	for (i = 0; i < set->cnt; i++) {
		struct evsel *sel = &set->events[i], *first = &set->events[leader];
		bool joins = i && group_of(sel) >= 0 && group_of(sel) == group_of(first) &&
			     sel->cgroup_fd == first->cgroup_fd;

		if (joins && have_same_cells(first, sel) && !is_cut(set, sel)) {
			sel->leader = leader;
			first->member_cnt++;
			continue;
		}
		sel->ungrouped = joins;
		sel->leader = leader = i;
		sel->member_cnt = 1;
	}
}

bool evset__can_inherit(const struct evset *set, size_t idx)
{
	size_t leader = set->events[idx].leader, i;

	for (i = leader; i < leader + set->events[leader].member_cnt; i++)
		if (set->events[i].ev && set->events[i].ev->probe)
			return false;
	return true;
}

void evset__split_group(struct evset *set, size_t leader)
{
	size_t cnt = set->events[leader].member_cnt, i;

	for (i = leader; i < leader + cnt; i++) {
		struct evsel *sel = &set->events[i];

		evsel__close(sel);
		sel->leader = i;
		sel->member_cnt = 1;
		sel->ungrouped = true;
	}
}

bool evsel__is_open(const struct evsel *sel)
{
	size_t i;

	for (i = 0; sel->fds && i < evsel__cell_cnt(sel); i++)
		if (sel->fds[i] >= 0)
			return true;
	return false;
}

static int control_leaders(struct evset *set, unsigned long request, bool inherited_only)
{
	size_t i, j;
	int err = 0;

	for (i = 0; i < set->cnt; i++) {
		const struct evsel *sel = &set->events[i];

		if (sel->leader != i || sel->always_on || (inherited_only && !sel->attr.inherit) ||
		    (sel->attr.enable_on_exec && request == PERF_EVENT_IOC_ENABLE))
			continue;
		for (j = 0; j < evsel__cell_cnt(sel); j++)
			if (sel->fds[j] >= 0 && ioctl(sel->fds[j], request, 0) && !err)
				err = -errno;
	}
	return err;
}

int evset__enable(struct evset *set)
{
	return control_leaders(set, PERF_EVENT_IOC_ENABLE, false);
}

int evset__enable_copies(struct evset *set)
{
	return control_leaders(set, PERF_EVENT_IOC_ENABLE, true);
}

/* Calls of the shortest gap; it doubles with each call after them. All take 0.1 s, or more. */
#define COPY_SOON 20
#define COPY_CALLS 25
/* A call is at most this part of the time. */
#define COPY_SHARE 10

uint64_t evset__copy_gap(unsigned int call, uint64_t took_ns)
{
	uint64_t gap_ns = EVSET_COPY_NS << (call > COPY_SOON ? call - COPY_SOON : 0);

	if (call >= COPY_CALLS)
		return 0;
	return gap_ns > COPY_SHARE * took_ns ? gap_ns : COPY_SHARE * took_ns;
}

int evset__disable(struct evset *set)
{
	return control_leaders(set, PERF_EVENT_IOC_DISABLE, false);
}

int evsel__ioctl(const struct evsel *sel, unsigned long request, unsigned long arg)
{
	size_t i;

	for (i = 0; i < evsel__cell_cnt(sel); i++)
		if (sel->fds[i] >= 0 && ioctl(sel->fds[i], request, arg))
			return -errno;
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "stat/hybrid.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "event/pmu.h"

#define PMUS_MAX 8
/* The PMU of a generic event is in the upper half of config (PERF_PMU_TYPE_SHIFT, 5.13). */
#define PMU_SHIFT 32

struct core_pmus {
	struct pmu *at[PMUS_MAX];
	size_t cnt;
};

static void free_pmus(struct core_pmus *pmus)
{
	while (pmus->cnt)
		pmu__free(pmus->at[--pmus->cnt]);
}

/* Finds the PMUs of x86's kinds of cores, the large ones first. */
static void find_pmus(struct core_pmus *pmus)
{
	char **names;
	size_t cnt, i;

	if (pmu__names(&names, &cnt))
		return;
	for (i = 0; i < cnt && pmus->cnt < PMUS_MAX; i++) {
		struct pmu *pmu = strncmp(names[i], "cpu_", 4) ? NULL : pmu__load(names[i]);

		if (!pmu || !pmu->cpus) {
			pmu__free(pmu);
			continue;
		}
		pmus->at[pmus->cnt++] = pmu;
		if (pmus->cnt > 1 && !strcmp(pmu->name, "cpu_core")) {
			pmus->at[pmus->cnt - 1] = pmus->at[0];
			pmus->at[0] = pmu;
		}
	}
	pmu__free_names(names, cnt);
}

static bool is_generic(const struct event *ev)
{
	return ev->kind == EVENT_HARDWARE && !ev->pmu;
}

/* "cycles:u" is "cpu_core/cycles/u". NULL: no memory. */
static char *name_on(const struct event *ev, const struct pmu *pmu)
{
	size_t len = strcspn(ev->name, ":");
	char *name;

	if (asprintf(&name, "%s/%.*s/%s", pmu->name, (int)len, ev->name,
		     ev->name[len] ? ev->name + len + 1 : "") < 0)
		return NULL;
	return name;
}

/* Copies an event without texts of its own; a generic one is put on the PMU. */
static struct event *copy_on(const struct event *ev, const struct pmu *pmu)
{
	char *name = is_generic(ev) ? name_on(ev, pmu) : strdup(ev->name);
	struct event *copy = name ? event__new(ev->kind, name) : NULL, texts;

	free(name);
	if (!copy)
		return NULL;
	texts = *copy;
	*copy = *ev;
	copy->name = texts.name;
	copy->pmu = copy->cpus = copy->unit = copy->filter = NULL;
	copy->group_mods = ev->group_mods ? strdup(ev->group_mods) : NULL;
	if (!is_generic(ev))
		return copy;
	copy->config |= (uint64_t)pmu->type << PMU_SHIFT;
	copy->pmu = strdup(pmu->name);
	copy->cpus = strdup(pmu->cpus);
	if (copy->pmu && copy->cpus)
		return copy;
	event__free(copy);
	return NULL;
}

/* Returns the number of events from `from` on that are one group, or 1. */
static size_t group_sz(const struct event_list *list, size_t from)
{
	size_t n = 1;

	while (list->events[from]->group >= 0 && from + n < list->cnt &&
	       list->events[from + n]->group == list->events[from]->group)
		n++;
	return n;
}

/* A group with events of a PMU, or with tracepoints, stays as it was written. */
static bool is_expanded(const struct event_list *list, size_t from, size_t cnt)
{
	bool has_generic = false;
	size_t i;

	for (i = from; i < from + cnt; i++) {
		const struct event *ev = list->events[i];

		if (!is_generic(ev) && ev->kind != EVENT_SOFTWARE)
			return false;
		has_generic |= is_generic(ev);
	}
	return has_generic;
}

/* Appends copies of a group for each PMU; the first ones keep its number. */
static int push_copies(struct event_list *to, struct event_list *from, size_t at, size_t cnt,
		       const struct core_pmus *pmus)
{
	size_t i, j;
	int err = 0;

	for (i = 0; i < pmus->cnt && !err; i++) {
		for (j = at; j < at + cnt && !err; j++) {
			struct event *copy = copy_on(from->events[j], pmus->at[i]);

			if (!copy)
				return -ENOMEM;
			if (copy->group >= 0 && i)
				copy->group = to->group_cnt;
			err = event_list__push(to, copy);
		}
		to->group_cnt += i && from->events[at]->group >= 0;
	}
	for (j = at; j < at + cnt && !err; j++) {
		event__free(from->events[j]);
		from->events[j] = NULL;
	}
	return err;
}

static int expand(struct event_list *list, const struct core_pmus *pmus)
{
	struct event_list to = { .group_cnt = list->group_cnt, .term_cnt = list->term_cnt };
	size_t i, j, cnt;
	int err = 0;

	for (i = 0; i < list->cnt && !err; i += cnt) {
		cnt = group_sz(list, i);
		if (is_expanded(list, i, cnt)) {
			err = push_copies(&to, list, i, cnt, pmus);
			continue;
		}
		for (j = i; j < i + cnt && !err; j++) {
			err = event_list__push(&to, list->events[j]);
			list->events[j] = NULL;
		}
	}
	for (i = 0; i < list->cnt; i++)
		event__free(list->events[i]);
	free(list->events);
	list->events = to.events;
	list->cnt = to.cnt;
	list->cap = to.cap;
	list->group_cnt = to.group_cnt;
	free(to.tp_seen);
	return err;
}

int stat_hybrid__expand(struct event_list *list)
{
	struct core_pmus pmus = { .cnt = 0 };
	int err = 0;

	find_pmus(&pmus);
	if (pmus.cnt > 1)
		err = expand(list, &pmus);
	free_pmus(&pmus);
	return err;
}

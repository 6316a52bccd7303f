// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/event_suggest.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/names.h"
#include "event/pfm.h"
#include "event/pmu.h"
#include "event/pmu_model.h"
#include "event/tracefs.h"
#include "util/log.h"
#include "util/strbuf.h"
#include "util/suggest.h"

static void offer_names(struct suggest *sg)
{
	const struct event_name *en;
	char name[64];
	unsigned int i;

	for (en = event_names; en->name; en++) {
		suggest__offer(sg, en->name);
		if (en->alias)
			suggest__offer(sg, en->alias);
	}
	for (i = 0; !event_names__cache(i, name, sizeof(name)); i++)
		suggest__offer(sg, name);
}

static void offer_pmus(struct suggest *sg)
{
	char **pmus, **aliases, *name;
	size_t pmu_cnt, alias_cnt, i, j;

	if (pmu__names(&pmus, &pmu_cnt))
		return;
	for (i = 0; i < pmu_cnt; i++) {
		if (pmu__aliases(pmus[i], &aliases, &alias_cnt))
			continue;
		for (j = 0; j < alias_cnt; j++) {
			if (asprintf(&name, "%s/%s/", pmus[i], aliases[j]) < 0)
				break;
			suggest__offer(sg, name);
			free(name);
		}
		pmu__free_names(aliases, alias_cnt);
	}
	pmu__free_names(pmus, pmu_cnt);
}

/*
 * For a glob with an unknown system: suggests the glob with other systems, not single events. `all`
 * is sorted, so the names of a system are adjacent.
 */
static void offer_systems(struct suggest *sg, const char *wanted, char **all, size_t cnt)
{
	const char *glob = strchr(wanted, ':');
	size_t i, sys_len = 0;
	char *offer;

	for (i = 0; i < cnt; i++) {
		if (i && !strncmp(all[i], all[i - 1], sys_len + 1))
			continue;
		sys_len = strcspn(all[i], ":");
		if (asprintf(&offer, "%.*s%s", (int)sys_len, all[i], glob) < 0)
			return;
		suggest__offer(sg, offer);
		free(offer);
	}
}

static bool is_known_system(const char *wanted, char **all, size_t cnt)
{
	size_t len = strcspn(wanted, ":"), i;

	for (i = 0; i < cnt; i++)
		if (!strncmp(all[i], wanted, len) && all[i][len] == ':')
			return true;
	return false;
}

static void offer_tracepoints(struct suggest *sg, const char *wanted)
{
	const char *colon = strchr(wanted, ':');
	char **all;
	size_t cnt, i;

	if (tracefs__glob("*", "*", &all, &cnt))
		return;
	if (colon && strpbrk(colon, "*?[") && !is_known_system(wanted, all, cnt))
		offer_systems(sg, wanted, all, cnt);
	else
		for (i = 0; i < cnt; i++)
			suggest__offer(sg, all[i]);
	tracefs__free_names(all, cnt);
}

int event_suggest__report(const char *wanted)
{
	struct strbuf name = STRBUF_INIT, near = STRBUF_INIT;
	struct suggest sg;

	/* The search takes long, and metrics ask for many names. */
	if (log__is_muted() || suggest__init(&sg, wanted))
		return -ENOENT;
	offer_names(&sg);
	pmu_model__suggest(&sg);
	offer_pmus(&sg);
	offer_tracepoints(&sg, wanted);
	/* The system is unknown: the nearest names show the form of names on this machine. */
	if (!sg.cnt && strchr(wanted, ':')) {
		sg.limit = UINT_MAX - 1;
		offer_tracepoints(&sg, wanted);
	}
	/* libpfm4 takes milliseconds to start: used only if the other sources have no near name. */
	if (!sg.cnt && !strpbrk(wanted, "*?["))
		pfm__suggest(&sg);
	strbuf__put_escaped(&name, wanted, strlen(wanted));
	if (pmu_model__names_counters())
		log_error("no event is called '%s'; those of this PMU are written "
			  "NAME/counters=MASK/, or NAME// for any counter",
			  strbuf__cstr(&name));
	else if (suggest__put(&sg, &near))
		log_error("no event is called '%s'; %s See: %s", strbuf__cstr(&name),
			  strbuf__cstr(&near), pmu_model__list());
	else
		log_error("no event is called '%s'; %s shows all events", strbuf__cstr(&name),
			  pmu_model__list());
	strbuf__free(&name);
	strbuf__free(&near);
	suggest__free(&sg);
	return -ENOENT;
}

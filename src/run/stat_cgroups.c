// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/stat_cgroups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/log.h"

static int split(struct stat_cgroups *g, const char *list)
{
	const char *at = list;
	size_t len;
	char **names;

	for (;; at += len + 1) {
		len = strcspn(at, ",");
		names = reallocarray(g->names, g->name_cnt + 1, sizeof(*names));
		if (!names)
			return -ENOMEM;
		g->names = names;
		names[g->name_cnt] = strndup(at, len);
		if (!names[g->name_cnt])
			return -ENOMEM;
		g->name_cnt++;
		if (!at[len])
			return 0;
	}
}

static int reserve(struct stat_cgroups *g, size_t cnt)
{
	g->events.events = calloc(cnt ? cnt : 1, sizeof(*g->events.events));
	g->of_event = calloc(cnt ? cnt : 1, sizeof(*g->of_event));
	return g->events.events && g->of_event ? 0 : -ENOMEM;
}

static void add(struct stat_cgroups *g, struct event *ev, const char *name)
{
	g->of_event[g->events.cnt] = name && *name && ev->kind != EVENT_TOOL ? name : NULL;
	g->events.events[g->events.cnt++] = ev;
}

int stat_cgroups__spread(struct stat_cgroups *g, const char *list, bool for_each,
			 const struct event_list *events)
{
	int err = split(g, list);
	size_t i, j;

	if (!err)
		err = reserve(g, events->cnt * (for_each ? g->name_cnt : 1));
	if (err)
		return err;
	for (i = 0; i < g->name_cnt && for_each; i++)
		if (!*g->names[i]) {
			log_error("--for-each-cgroup %s: an empty name is no group; give paths "
				  "with commas between",
				  list);
			return -EINVAL;
		}
	if (!for_each && g->name_cnt > events->cnt) {
		log_error("-G %s: there are %zu groups for %zu events; give at most one for each "
			  "event, or --for-each-cgroup",
			  list, g->name_cnt, events->cnt);
		return -EINVAL;
	}
	for (j = 0; j < (for_each ? g->name_cnt : 1); j++)
		for (i = 0; i < events->cnt; i++) {
			struct event *ev = events->events[i];

			/* A time is of no group. */
			if (for_each && (!j || ev->kind != EVENT_TOOL))
				add(g, ev, g->names[j]);
			else if (!for_each)
				add(g, ev, i < g->name_cnt ? g->names[i] : NULL);
		}
	return 0;
}

void stat_cgroups__free(struct stat_cgroups *g)
{
	size_t i;

	for (i = 0; i < g->name_cnt; i++)
		free(g->names[i]);
	free(g->names);
	free(g->events.events);
	free(g->of_event);
	*g = (struct stat_cgroups){ 0 };
}

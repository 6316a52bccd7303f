/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Lists of control groups for the events of stat: -G a,b and --for-each-cgroup a,b. */
#ifndef BPFPERF_RUN_STAT_CGROUPS_H
#define BPFPERF_RUN_STAT_CGROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "event/event.h"

/* Zeroed at first. */
struct stat_cgroups {
	char **names; /* owned */
	size_t name_cnt;
	struct event_list events; /* events as counted; they belong to another list */
	const char **of_event; /* by index in events: path of its group; NULL: none */
};

/*
 * Splits the list at its commas. for_each: each event is counted in each group; otherwise the first
 * event in the first group and so on, an empty name is no group, and events beyond the list are in
 * none. `events` outlives it. 0, -ENOMEM, or -EINVAL (logged).
 */
int stat_cgroups__spread(struct stat_cgroups *g, const char *list, bool for_each,
			 const struct event_list *events);
void stat_cgroups__free(struct stat_cgroups *g);

#endif

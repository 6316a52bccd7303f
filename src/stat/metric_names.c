// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "stat/metric_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stat/metric_set_priv.h"

/* Is the group one of those of the metrics before this one? */
static bool is_known(const struct metric_set *set, size_t metric, const char *group)
{
	size_t i;

	for (i = 0; i < metric; i++)
		if (metric_def__in_group(set->at[i].def, group))
			return true;
	return false;
}

int metric_names__each(void (*fn)(void *ctx, const char *name, bool is_group), void *ctx)
{
	struct metric_set set = { 0 };
	int err = metric_set__choose_all(&set);
	size_t i;

	for (i = 0; i < set.cnt && !err; i++) {
		const struct metric_def *def = set.at[i].def;
		char *groups = strdup(def->group ? def->group : ""), *rest = groups, *group;

		fn(ctx, def->name, false);
		while (rest && (group = strsep(&rest, ";")))
			if (*group && !is_known(&set, i, group))
				fn(ctx, group, true);
		err = groups ? 0 : -ENOMEM;
		free(groups);
	}
	metric_set__free(&set);
	return err;
}

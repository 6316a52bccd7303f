// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/weight.h"

#include <string.h>

const char *event_weight__field(const struct tp_format *fmt)
{
	static const struct {
		const char *sys, *name, *field;
	} weights[] = {
		{ "sched", "sched_stat_runtime", "runtime" },
		{ "sched", "sched_stat_wait", "delay" },
		{ "sched", "sched_stat_sleep", "delay" },
		{ "sched", "sched_stat_iowait", "delay" },
		{ "sched", "sched_stat_blocked", "delay" },
	};
	size_t i;

	for (i = 0; i < sizeof(weights) / sizeof(weights[0]); i++)
		if (strcmp(fmt->sys, weights[i].sys) == 0 &&
		    strcmp(fmt->name, weights[i].name) == 0)
			return weights[i].field;
	return NULL;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/pfm.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdlib.h>
#include <string.h>

int pfm__encode(const char *name, struct event *ev)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };

	if (pfm_initialize() != PFM_SUCCESS ||
	    pfm_get_perf_event_encoding(name, PFM_PLM0 | PFM_PLM3, &attr, NULL, NULL) !=
		    PFM_SUCCESS)
		return -ENOENT;
	/* libpfm4 lists tracepoints as well; those are tracefs' matter, with their formats. */
	if (attr.type == PERF_TYPE_TRACEPOINT)
		return -ENOENT;
	ev->type = attr.type;
	ev->config = attr.config;
	ev->config1 = attr.config1;
	ev->config2 = attr.config2;
	ev->exclude_user = attr.exclude_user;
	ev->exclude_kernel = attr.exclude_kernel;
	return 0;
}

void pfm__suggest(struct suggest *sg)
{
	int pmu, i;

	if (pfm_initialize() != PFM_SUCCESS)
		return;
	for (pmu = 0; pmu < PFM_PMU_MAX; pmu++) {
		pfm_pmu_info_t info = { .size = sizeof(info) };

		if (pfm_get_pmu_info(pmu, &info) != PFM_SUCCESS || !info.is_present ||
		    pmu == PFM_PMU_PERF_EVENT || pmu == PFM_PMU_PERF_EVENT_RAW)
			continue;
		for (i = info.first_event; i >= 0; i = pfm_get_event_next(i)) {
			pfm_event_info_t event = { .size = sizeof(event) };

			if (pfm_get_event_info(i, PFM_OS_NONE, &event) == PFM_SUCCESS)
				suggest__offer(sg, event.name);
		}
	}
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/recorder_rings.h"

#include <stdlib.h>

#include "perf/sampling.h"
#include "source/kernel_rings.h"

struct kernel_ring_event *recorder_rings__events(const struct sampling_events *c, size_t *cnt)
{
	struct kernel_ring_event *events;
	size_t i, j, max = 1;

	for (i = 0; i < c->set.cnt; i++)
		max += evsel__cell_cnt(&c->set.events[i]);
	events = calloc(max, sizeof(*events));
	*cnt = 0;
	for (i = 0; events && i < c->set.cnt; i++) {
		const struct evsel *sel = &c->set.events[i];

		for (j = 0; j < evsel__cell_cnt(sel); j++) {
			if (sel->fds[j] < 0)
				continue;
			events[(*cnt)++] = (struct kernel_ring_event){
				.fd = sel->fds[j],
				.cpu = evsel__cpu(sel, j),
				.tid = evsel__tid(sel, j),
				.track = !sel->ev,
				.has_aux = sel->has_aux,
				.leads = sel->leader == i,
				.name = sel->name,
			};
		}
	}
	return events;
}

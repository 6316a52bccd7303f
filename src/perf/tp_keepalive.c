// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Holds tracepoints open, so that closing other events of them is cheap. */
#include "perf/tp_keepalive.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "event/event.h"
#include "perf/detach.h"
#include "perf/perf_fd.h"

/* Opens an event of this thread, which needs no privileges; it is never enabled. */
static int open_anchor(const struct event *ev)
{
	struct perf_event_attr attr;

	perf_fd__attr(&attr, ev);
	return perf_fd__open(&attr, 0, -1, -1, 0);
}

bool tp_keepalive__open(struct tp_keepalive *a, const struct event *const *events, size_t cnt)
{
	size_t i;

	*a = (struct tp_keepalive){ .fds = calloc(cnt + 1, sizeof(*a->fds)) };
	for (i = 0; a->fds && i < cnt; i++) {
		if (events[i]->kind != EVENT_TRACEPOINT)
			continue;
		a->fds[a->cnt] = open_anchor(events[i]);
		if (a->fds[a->cnt] < 0) {
			tp_keepalive__free(a);
			return false;
		}
		a->cnt++;
	}
	return a->fds;
}

void tp_keepalive__free(struct tp_keepalive *a)
{
	if (a->cnt)
		detach__fds(a->fds, a->cnt);
	free(a->fds);
	*a = (struct tp_keepalive){ 0 };
}

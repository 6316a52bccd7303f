/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* --trigger EVENT[:FILTER] of trace: the events at which the flight recorder dumps. */
#ifndef BPFPERF_SESSION_TRIGGER_H
#define BPFPERF_SESSION_TRIGGER_H

#include "event/event.h"
#include "session/patch_code.h"

/* One tracepoint or probe that triggers. */
struct trigger {
	uint16_t id; /* of its records */
	struct event *ev; /* owned; NULL once it is among the traced events */
	bool only; /* it is not traced otherwise: only its triggering records are recorded */
	struct filter *filter; /* NULL: each of its records triggers */
	char *expr; /* the filter's text; NULL without a filter */
};

struct triggers {
	struct trigger *at;
	size_t cnt;
};

/*
 * Resolves `spec`, SYS:NAME or SYS:NAME:FILTER, with globs, or a probe, which has a filter behind
 * its arguments: u:PATH:FUNC(ARGUMENTS):FILTER. Returns 0, or -EINVAL/-ENOENT after one
 * sentence.
 */
int triggers__add(void *triggers, const char *spec);
/*
 * Adds the triggers' events to the list of traced events, with the trigger's filter, unless they
 * are in it. An event whose records all trigger loses its own filter. Returns 0 or -errno (logged).
 */
int triggers__join(struct triggers *t, struct event_list *events);
/*
 * Sets the code of one event's patch point: triggering records raise the alarm, and pass whatever
 * the event's own filter decides. Adds to *needs. The triggers must outlive `patch`.
 */
void triggers__patch(const struct triggers *t, struct patch_event *patch_point, uint32_t *needs);
void triggers__free(struct triggers *t);

#endif

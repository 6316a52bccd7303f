/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* --trigger EVENT[:FILTER] of trace: what has the flight recorder dumped. */
#ifndef BPFPERF_SESSION_TRIGGER_H
#define BPFPERF_SESSION_TRIGGER_H

#include "event/event.h"
#include "session/patch_code.h"

/* One tracepoint that triggers. */
struct trigger {
	uint16_t id; /* tracepoint id */
	char *name;
	bool only; /* it is not traced besides: only what triggers is recorded of it */
	struct filter *filter; /* NULL: each record of it triggers */
	char *expr; /* the filter's text; NULL with it */
};

struct triggers {
	struct trigger *at;
	size_t cnt;
};

/*
 * Resolves `spec`, SYS:NAME or SYS:NAME:FILTER, with globs. 0, or -EINVAL/-ENOENT after one
 * sentence.
 */
int triggers__add(struct triggers *t, const char *spec);
/*
 * Puts the triggers' events into the list of what is traced, where they are not in it yet, with the
 * trigger's filter. One of which all triggers loses the filter it has. 0 or -errno (said).
 */
int triggers__join(struct triggers *t, struct event_list *events);
/*
 * The code of one event's patch point: what of it raises the alarm, and passes whatever its own
 * filter says; adds to *needs. The triggers outlive the patch_point.
 */
void triggers__patch(const struct triggers *t, struct patch_event *patch_point, uint32_t *needs);
void triggers__free(struct triggers *t);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* --trigger EVENT[:FILTER] of trace: what has the flight recorder dumped. */
#ifndef BPFPERF_CMD_TRIGGER_H
#define BPFPERF_CMD_TRIGGER_H

#include "event/event.h"
#include "session/site_code.h"

/* One tracepoint that triggers. */
struct trigger {
	uint16_t id; /* tracepoint id */
	char *name;
	bool only; /* it is not traced besides: only what triggers is recorded of it */
	struct filter *filter; /* NULL: each record of it triggers, or the site has it */
	char *expr; /* the filter's text; NULL: each record triggers */
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
/* Puts the triggers' events into the list of what is traced, where they are not in it yet. 0 or -errno. */
int triggers__join(struct triggers *t, struct event_list *events);
/*
 * The code of one event's site: what it passes, and what of it raises the alarm; adds to *needs.
 * The filter of what is not traced besides is the site's from then on. The triggers outlive the site.
 */
void triggers__site(struct triggers *t, struct site_event *site, uint32_t *needs);
void triggers__free(struct triggers *t);

#endif

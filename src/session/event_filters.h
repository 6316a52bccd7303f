/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* --filter of trace, which applies to the preceding event. */
#ifndef BPFPERF_SESSION_EVENT_FILTERS_H
#define BPFPERF_SESSION_EVENT_FILTERS_H

#include "event/event.h"
#include "filter/filter.h"

/* Returns the facts of this machine that filters may refer to: its CPUs, its kernel's functions. */
const struct filter_env *event_filters__env(void);

/*
 * Sets event->filter of the tracepoints that the list's terms from `first_term` on named, if they
 * have the fields; with a second filter of an event, records must pass both. Returns 0, or -EINVAL
 * after a sentence: the filter is wrong, no event precedes it, or none of its events has the
 * fields.
 */
int event_filters__add(struct event_list *events, int first_term, const char *expr);
/*
 * Returns the event's filter, as checked by event_filters__add(). NULL: it has none, or errno is
 * ENOMEM.
 */
struct filter *event_filters__of(const struct event *ev);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* --filter of trace: for the event before it. */
#ifndef BPFPERF_SESSION_EVENT_FILTERS_H
#define BPFPERF_SESSION_EVENT_FILTERS_H

#include "event/event.h"
#include "filter/filter.h"

/* The facts of this machine that filters may ask: its CPUs, its kernel's functions. */
const struct filter_env *event_filters__env(void);

/*
 * Sets event->filter of the tracepoints that the list's terms from `first_term` on named, where
 * they have the fields; a second one of an event must pass as well. 0; or -EINVAL after a sentence,
 * where the filter is wrong, no event is before it, or none of its events has the fields.
 */
int event_filters__add(struct event_list *events, int first_term, const char *expr);
/* The event's filter, checked by event_filters__add(). NULL where it has none, or errno ENOMEM. */
struct filter *event_filters__of(const struct event *ev);

#endif

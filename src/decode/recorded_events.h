/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The events of a recording as struct event: the one conversion that all sinks share. */
#ifndef BPFPERF_DECODE_RECORDED_EVENTS_H
#define BPFPERF_DECODE_RECORDED_EVENTS_H

#include "event/event.h"

struct attrs;

struct recorded_events {
	struct event_list list; /* by the index of the recording's attrs; formats are not owned */
};

/*
 * Converts the attrs that have no event yet: all of a file at once, those of a pipe as they arrive.
 * An event keeps its address until recorded_events__free(). 0 or -ENOMEM.
 */
int recorded_events__update(struct recorded_events *re, const struct attrs *attrs);
void recorded_events__free(struct recorded_events *re);

#endif

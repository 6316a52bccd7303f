/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Probes as events of the command line. */
#ifndef BPFPERF_PROBE_EVENTS_H
#define BPFPERF_PROBE_EVENTS_H

#include <sys/types.h>

#include "event/event.h"
#include "probe/place.h"

/* From now on terms of event_list__add() may name probes (event/probe_source.h). */
void probe_events__enable(void);
/* Files of later terms are those that this process sees and uses, if it has them. */
void probe_events__of_process(pid_t pid);
/*
 * Calls show for each place that a term means, with the event's name, all arguments, and where it
 * is written. 0 or the errors of probe_source_fn.
 */
int probe_events__each(const char *text,
		       void (*show)(void *ctx, const char *name, const struct place *place),
		       void *ctx);

#endif

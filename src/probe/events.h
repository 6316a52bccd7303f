/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Probes as events of the command line. */
#ifndef BPFPERF_PROBE_EVENTS_H
#define BPFPERF_PROBE_EVENTS_H

/* From now on terms of event_list__add() may name probes (event/probe_source.h). */
void probe_events__enable(void);

#endif

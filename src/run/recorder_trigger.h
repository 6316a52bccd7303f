/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Events of --switch-output-event: at each one the recorder ends its file and begins another. They
 * have rings of their own, which are read for that alone, and are not recorded.
 */
#ifndef BPFPERF_RUN_RECORDER_TRIGGER_H
#define BPFPERF_RUN_RECORDER_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>

#include "source/kernel_rings.h"

struct event_list;
struct sampling_config;
struct sampling_events;

/* Zeroed: none. */
struct recorder_trigger {
	struct sampling_events *sampling;
	struct kernel_rings rings;
	bool is_open;
};

/*
 * Opens the events for the targets of cfg; its own events and fields do not count. 0 or -errno
 * (logged).
 */
int recorder_trigger__open(struct recorder_trigger *t, const struct event_list *events,
			   const struct sampling_config *cfg);
/* Starts the events, unless the exec of CMD does. 0 or -errno. */
int recorder_trigger__enable(struct recorder_trigger *t);
/* Readable when an event has happened; -1: there is none. */
int recorder_trigger__fd(const struct recorder_trigger *t);
/* Returns the number of events since the last call, or -errno. */
int64_t recorder_trigger__take(struct recorder_trigger *t);
void recorder_trigger__free(struct recorder_trigger *t);

#endif

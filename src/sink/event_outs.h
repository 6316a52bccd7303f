/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Outputs of single events, as of `perf script --per-event-dump`. */
#ifndef BPFPERF_SINK_EVENT_OUTS_H
#define BPFPERF_SINK_EVENT_OUTS_H

#include <stdint.h>

#include "sink/out.h"

/* The output of the samples of one event. */
struct event_out {
	struct out out;
	uint64_t samples; /* that were printed */
};

/* Opens the outputs: the command's part, since a sink opens none. */
struct event_outs {
	/* Returns the output of an event of this name. NULL: it cannot be opened (logged). */
	struct event_out *(*get)(struct event_outs *outs, const char *event);
};

#endif

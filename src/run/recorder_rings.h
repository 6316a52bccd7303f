/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The events of a recorder (perf/sampling.h), as its rings take them (source/kernel_rings.h). */
#ifndef BPFPERF_RUN_RECORDER_RINGS_H
#define BPFPERF_RUN_RECORDER_RINGS_H

#include <stddef.h>

struct kernel_ring_event;
struct sampling_events;

/* Returns the open cells of all events; the caller frees them. NULL: no memory. */
struct kernel_ring_event *recorder_rings__events(const struct sampling_events *c, size_t *cnt);

#endif

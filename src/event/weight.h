/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Tracepoints that count more than one each, by the kernel's __perf_count(). */
#ifndef BPFPERF_EVENT_WEIGHT_H
#define BPFPERF_EVENT_WEIGHT_H

#include "event/tp_format.h"

/*
 * The field whose value perf counts for each record of the event, and subtracts from its period:
 * for sched:sched_stat_runtime the runtime. NULL: each record counts 1. Source: the events of the
 * kernel's include/trace/events that have a __perf_count(), 5.10 to 7.0.
 */
const char *event_weight__field(const struct tp_format *fmt);

#endif

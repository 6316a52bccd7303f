/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Names of events in recordings that have none, as perf makes them of the attr. */
#ifndef BPFPERF_DATA_RECORDED_NAME_H
#define BPFPERF_DATA_RECORDED_NAME_H

#include "data/attrs.h"
#include "util/strbuf.h"

/* Appends "sched:sched_switch", "cycles:ppH", "raw 0x1c0:u", "L1-dcache-load-misses". */
void recorded_name__put(const struct recorded_event *ev, struct strbuf *out);

#endif

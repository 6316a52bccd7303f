/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The time column: converts CLOCK_MONOTONIC of the recording to the clock of --time. */
#ifndef BPFPERF_SINK_CLOCK_H
#define BPFPERF_SINK_CLOCK_H

#include <stdint.h>

#include "sink/sink.h"

/*
 * Returns nanoseconds of the chosen clock. *prev_ns is the caller's, 0 at first; only TIME_DELTA
 * uses it.
 */
uint64_t clock__convert(const struct sink_config *cfg, uint64_t mono_ns, uint64_t *prev_ns);
/*
 * Prints the time: seconds with nine decimals, or for TIME_REAL the local date and time (ISO 8601).
 */
void clock__print(const struct sink_config *cfg, uint64_t ns, struct strbuf *out);

/* Sets the start, in both clocks, to now. */
void clock__set_start(struct sink_config *cfg);

#endif

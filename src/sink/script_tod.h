/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The date and the time of the day, as `perf script -F tod` prints them. */
#ifndef BPFPERF_SINK_SCRIPT_TOD_H
#define BPFPERF_SINK_SCRIPT_TOD_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

/*
 * Puts a time of CLOCK_REALTIME in this machine's zone, and a blank; nanoseconds: with nine
 * decimals, not six.
 */
void script_tod__put(struct strbuf *out, uint64_t real_ns, bool nanoseconds);

#endif

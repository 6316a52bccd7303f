/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Hardware breakpoints (mem:ADDR) that never fire: some hypervisors let a guest write its debug
 * registers, and deliver no exception. The kernel opens such events, and they count nothing.
 */
#ifndef BPFPERF_PERF_BREAKPOINTS_H
#define BPFPERF_PERF_BREAKPOINTS_H

#include <stddef.h>

struct event;

/* Warns, once in a run, if one of the events is a breakpoint and breakpoints do not fire here. */
void breakpoints__warn(const struct event *const *events, size_t cnt);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_event_open(2) for events that are no tracepoints, and what its errors mean. */
#ifndef BPFPERF_SESSION_PERF_FD_H
#define BPFPERF_SESSION_PERF_FD_H

#include <stdint.h>

struct event;

struct perf_sampling {
	uint64_t freq_hz; /* samples per second and CPU; 0: by period */
	uint64_t period; /* events per sample */
};

/*
 * A sampling event for all tasks on one CPU, close-on-exec, not enabled yet. The fd or -errno.
 * Clocks do not tick for the idle task: an idle CPU spends its time nowhere.
 */
int perf_fd__open_sampling(const struct event *ev, const struct perf_sampling *how, int cpu);
/* One sentence for what perf_fd__open_sampling() returned. */
void perf_fd__explain(const struct event *ev, const struct perf_sampling *how, int cpu, int err);

#endif

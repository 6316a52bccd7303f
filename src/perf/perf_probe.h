/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Finds out by perf_event_open(2) whether an event can be traced, counted and sampled here. */
#ifndef BPFPERF_PERF_PERF_PROBE_H
#define BPFPERF_PERF_PERF_PROBE_H

struct event;

enum perf_can {
	PERF_CAN_TRACE = 1 << 0, /* a BPF program runs at each one */
	PERF_CAN_COUNT = 1 << 1,
	PERF_CAN_SAMPLE = 1 << 2, /* its overflow takes a sample */
};

/*
 * A set of enum perf_can for an event that is no tracepoint. Hardware events are each
 * opened once and closed again; software events and the events of one PMU share their
 * first answer. A PMU that takes no new event right now counts as unable.
 */
unsigned int perf_probe__event(const struct event *ev);

/*
 * The same for tracepoints, all alike. None is attached to: letting go of one costs an RCU
 * grace period. Cached.
 */
unsigned int perf_probe__tracepoints(void);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Finds out by perf_event_open(2) whether an event can be traced, counted and sampled here. */
#ifndef BPFPERF_PERF_PERF_PROBE_H
#define BPFPERF_PERF_PERF_PROBE_H

struct event;

enum perf_can {
	PERF_CAN_TRACE = 1 << 0, /* a BPF program can run at each hit */
	PERF_CAN_COUNT = 1 << 1,
	PERF_CAN_SAMPLE = 1 << 2, /* its overflow can take a sample */
};

/*
 * Returns a set of enum perf_can for an event that is no tracepoint. Each hardware event is opened
 * once and closed again; software events, and the events of one PMU, share the first answer. A PMU
 * that takes no new event at the moment counts as unable. *err is set to -errno where the kernel
 * cannot be asked, and is left alone otherwise; NULL: such an event counts as unable.
 */
unsigned int perf_probe__event(const struct event *ev, int *err);

/*
 * Opens an event that is no tracepoint, disabled, and closes it: 0, or -errno of the refusal. The
 * answer is the kernel's for this very event; nothing is counted.
 */
int perf_probe__open(const struct event *ev);

/*
 * Returns the set of all tracepoints, which is equal for all. None is attached to, because
 * detaching costs an RCU grace period. Cached. *err: as above.
 */
unsigned int perf_probe__tracepoints(int *err);

#endif

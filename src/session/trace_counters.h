/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The counters that trace's programs read with each record: one on each CPU, in the map `counters`.
 */
#ifndef BPFPERF_SESSION_TRACE_COUNTERS_H
#define BPFPERF_SESSION_TRACE_COUNTERS_H

#include <stdint.h>

struct perf_counters;
struct event_list;
struct trace_bpf;

/* Called before load: sets the knobs and map sizes for these counters. */
void trace_counters__configure(struct trace_bpf *skel, const struct event_list *events,
			       int by_task);
/*
 * Called after load: opens the counters on all CPUs, running, and puts them into the map. A counter
 * that counts on no CPU is an error. NULL after one sentence, errno.
 */
struct perf_counters *trace_counters__open(struct trace_bpf *skel, const struct event_list *events);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Adds the events of a metric_set's metrics. Private to stat/metric_*.c. */
#ifndef BPFPERF_STAT_METRIC_EVENTS_H
#define BPFPERF_STAT_METRIC_EVENTS_H

struct event_list;
struct metric_set;

/*
 * Appends the events of all metrics: those on a CPU's counters in one weak group for each metric,
 * unless a larger group has them all, as perf does; others, and those of a metric that forbids it,
 * alone. 0 or like event_list__add().
 */
int metric_events__add(struct metric_set *set, struct event_list *events);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The costs of hits of a run's probes on this machine. They are measured once the run has lasted a
 * second, by a thread of its own, so that neither the start nor a short run is slower for it.
 */
#ifndef BPFPERF_RUN_HIT_REPORT_H
#define BPFPERF_RUN_HIT_REPORT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "event/event.h"
#include "kernel/hit_cost.h"

struct hit_report {
	const struct event_list *events; /* not owned; NULL: there are no probes */
	unsigned int classes; /* of the probes: bits by enum hit_class */
	bool with_return;
	struct hit_meter meter;
	pthread_t thread;
	bool is_started;
	atomic_bool is_done; /* costs are known */
	struct hit_costs costs;
};

/* Before capabilities are given up. events outlives the report. */
void hit_report__open(struct hit_report *r, const struct event_list *events);
/* Callback of a timer of the loop: measures. Always 0. */
int hit_report__start(void *report);
/* Returns what a hit of an event costs, ns, its return included; 0: it is not known, or not yet. */
uint32_t hit_report__ns(const struct hit_report *r, const struct event *ev);
/* Prints what hits cost, if that was measured. */
void hit_report__summary(struct hit_report *r);
/* A zeroed report is accepted. */
void hit_report__close(struct hit_report *r);

#endif

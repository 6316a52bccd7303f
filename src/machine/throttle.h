/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Counts how often and for how long the kernel throttled sampling events. */
#ifndef BPFPERF_MACHINE_THROTTLE_H
#define BPFPERF_MACHINE_THROTTLE_H

#include <stddef.h>
#include <stdint.h>

struct proc_event;

/* One event on one CPU. */
struct throttled {
	uint64_t id; /* as in its records */
	uint64_t cnt; /* number of times */
	uint64_t since_ns; /* start of the current throttling; 0: not throttled */
	uint64_t total_ns;
};

struct throttle {
	struct throttled *of; /* events that were ever throttled */
	size_t of_cnt;
};

/* Applies PROC_THROTTLE and PROC_UNTHROTTLE; other events are ignored. 0 or -ENOMEM. */
int throttle__on_event(struct throttle *t, const struct proc_event *ev, uint64_t time_ns);
/* Call at the end of the recording: an event that is still throttled was so until then. */
void throttle__end(struct throttle *t, uint64_t end_ns);
/* Total number of times, and total nanoseconds summed over CPUs. */
void throttle__sum(const struct throttle *t, uint64_t *cnt, uint64_t *total_ns);
void throttle__free(struct throttle *t);

#endif

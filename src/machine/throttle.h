/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* How often and for how long the kernel held sampling events back. */
#ifndef BPFPERF_MACHINE_THROTTLE_H
#define BPFPERF_MACHINE_THROTTLE_H

#include <stddef.h>
#include <stdint.h>

struct proc_event;

/* One event on one CPU. */
struct throttled {
	uint64_t id; /* as in its records */
	uint64_t cnt; /* times */
	uint64_t since_ns; /* held back since; 0: it is not */
	uint64_t total_ns;
};

struct throttle {
	struct throttled *of; /* events that ever were held back */
	size_t of_cnt;
};

/* Applies PROC_THROTTLE and PROC_UNTHROTTLE; other events are ignored. 0 or -ENOMEM. */
int throttle__on_event(struct throttle *t, const struct proc_event *ev, uint64_t time_ns);
/* The recording has ended: an event that is still held back was so until then. */
void throttle__end(struct throttle *t, uint64_t end_ns);
/* Times, and nanoseconds of CPUs, in all. */
void throttle__sum(const struct throttle *t, uint64_t *cnt, uint64_t *total_ns);
void throttle__free(struct throttle *t);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* How often and for how long the kernel held sampling events back: PERF_RECORD_THROTTLE and _UNTHROTTLE. */
#ifndef BPFPERF_MACHINE_THROTTLE_H
#define BPFPERF_MACHINE_THROTTLE_H

#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

/* One event on one CPU. */
struct throttled {
	uint64_t id; /* as records tell it */
	uint64_t cnt; /* times */
	uint64_t since_ns; /* held back since; 0: it is not */
	uint64_t total_ns;
};

struct throttle {
	struct throttled *of; /* those that ever were */
	size_t of_cnt;
};

/* Takes a record of the process rings; those of other types are none of its. 0 or -ENOMEM. */
int throttle__record(struct throttle *t, const struct perf_event_header *hdr, uint64_t time_ns);
/* The recording has ended: what is still held back was so until then. */
void throttle__end(struct throttle *t, uint64_t end_ns);
/* Times, and nanoseconds of CPUs, in all. */
void throttle__sum(const struct throttle *t, uint64_t *cnt, uint64_t *total_ns);
void throttle__free(struct throttle *t);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The data rings of a flight recorder: one a CPU, written backward, overwriting,
 * mapped read-only. They stay unread until a dump is requested.
 */
#ifndef BPFPERF_SOURCE_FLIGHT_H
#define BPFPERF_SOURCE_FLIGHT_H

#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "source/batches.h"

struct flight;

/*
 * Opens a ring of ring_sz bytes (a power of two of pages) on each CPU and puts it into the BPF
 * perf-event array. NULL and errno.
 */
struct flight *flight__new(int map_fd, const int *cpus, size_t cpu_cnt, size_t ring_sz);
void flight__free(struct flight *f);

/*
 * Copies the records that were written to the ring of cpus[slot] since the last call, while the
 * ring's output is paused, and passes each to fn, oldest first. Programs count the records that
 * they output during the pause as lost. Returns 0, the value that fn returned, or -errno.
 */
int flight__take(struct flight *f, size_t slot, const struct batches *batches,
		 int (*fn)(void *ctx, const struct perf_event_header *hdr), void *ctx);

#endif

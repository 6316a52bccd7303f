/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Records that programs have gathered on their CPU and not sent yet (wire.h):
 * seen through the map's memory, sent by a program that is run on that CPU.
 */
#ifndef BPFPERF_SOURCE_BATCHES_H
#define BPFPERF_SOURCE_BATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wire_cpu;

struct batches {
	struct wire_cpu *cpus; /* by CPU; not owned. NULL: there are none */
	int flush_fd; /* the program flush_batch */
};

/*
 * Sends what a CPU has gathered. 0: what was committed before the call is in
 * the CPU's ring (or counted as lost); -EBUSY: a program is at work there, try
 * again; -ENXIO: the CPU is offline; else -errno.
 */
int batches__flush(const struct batches *b, uint32_t cpu);

/*
 * The rest in the batch of a CPU where nothing is being produced any more:
 * *recs, *sz, in the map's memory. False where a program is still at work.
 */
int batches__rest(const struct batches *b, uint32_t cpu, const void **recs, size_t *sz);

/* No program is at work on the CPU at this moment: whoever was has sent what it wanted to. */
bool batches__is_quiet(const struct batches *b, uint32_t cpu);

/*
 * The batch of an offline CPU was taken by batches__rest(): should the CPU come back, it begins
 * anew.
 */
void batches__clear(const struct batches *b, uint32_t cpu);

#endif

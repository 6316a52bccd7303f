/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Records that BPF programs have gathered on their CPU and not sent yet (wire.h): they are read
 * through the map's memory, or sent by a program that is run on that CPU.
 */
#ifndef BPFPERF_SOURCE_BATCHES_H
#define BPFPERF_SOURCE_BATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wire_cpu;

struct batches {
	struct wire_cpu *cpus; /* indexed by CPU; not owned; NULL: no batches, and no losses */
	int flush_fd; /* the program flush_batch */
};

/*
 * Sends the batch of a CPU. 0: each record committed before the call is in the CPU's ring (or
 * counted as lost); -EBUSY: a program is running there, try again; -ENXIO: the CPU is offline; else
 * -errno.
 */
int batches__flush(const struct batches *b, uint32_t cpu);
/* Like batches__flush(), but interrupts the CPU even if its batch is empty. */
int batches__visit(const struct batches *b, uint32_t cpu);

/*
 * Finds the rest of the batch of a CPU that no longer produces records: *recs and *sz point into
 * the map's memory. False if a program is still running there.
 */
int batches__rest(const struct batches *b, uint32_t cpu, const void **recs, size_t *sz);

/* True if no program is running on the CPU at this moment: each has sent its records. */
bool batches__is_quiet(const struct batches *b, uint32_t cpu);

/*
 * Marks the batch of an offline CPU as taken by batches__rest(): if the CPU comes back, the batch
 * starts empty.
 */
void batches__clear(const struct batches *b, uint32_t cpu);

#endif

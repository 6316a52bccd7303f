/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The records of one CPU by their fate, from the counters of the BPF programs (wire.h). */
#ifndef BPFPERF_SOURCE_CPU_COUNTS_H
#define BPFPERF_SOURCE_CPU_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "data/lost.h"

struct wire_cpu;

/* Returns the number of records that the programs made on a CPU. */
uint64_t cpu_counts__produced(const struct wire_cpu *cpu);
/* Returns the number of records that were made by interrupts of another program. */
uint64_t cpu_counts__nested(const struct wire_cpu *cpu);
/*
 * Fills lost[] with the CPU's lost records by enum lost_cause. A ring that overwrites is never
 * full, but paused for a dump; the batch of a CPU without a ring is lost.
 */
void cpu_counts__lost(const struct wire_cpu *cpu, bool overwrites, bool has_ring,
		      uint64_t lost[LOST_CPU_CAUSES]);

#endif

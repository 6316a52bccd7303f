/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The `cpus` map of a BPF object (struct wire_cpu of wire.h), mapped into user space. */
#ifndef BPFPERF_SESSION_CPUS_H
#define BPFPERF_SESSION_CPUS_H

#include <stdint.h>

#include <linux/types.h>

#include "bpf/wire.h"

struct cpus {
	struct wire_cpu *at; /* by CPU; NULL: not mapped */
	int cnt; /* number of possible CPUs */
};

/* Returns the number of possible CPUs: the map has an element for each. */
int cpus__possible(void);
/* Maps the map into memory. Returns 0 or -errno. */
int cpus__map(struct cpus *c, int map_fd);
void cpus__unmap(struct cpus *c);

/* Counts of one CPU's records by their fate, from the programs' counters. */
struct cpu_counts {
	uint64_t produced;
	uint64_t lost_full, lost_nested, lost_no_ring, lost_other;
	uint64_t lost; /* sum of all losses */
};

/* Returns the current counts; the CPU must be one of the map. */
struct cpu_counts cpus__counts(const struct cpus *c, int cpu);
/* Returns the number of records produced by interrupts of another program. */
uint64_t cpus__nested(const struct cpus *c, int cpu);
/* Returns the number of records in the batch of a CPU: produced, but not sent yet. */
uint32_t cpus__waiting(const struct cpus *c, int cpu);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The BPF side's own accounting: the `cpu_stats` map of wire.h. */
#ifndef BPFPERF_SESSION_CPU_STATS_H
#define BPFPERF_SESSION_CPU_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/types.h>

#include "bpf/wire.h"

/* How many CPUs there can be: the map has an element for each. */
int cpu_stats__cpu_cnt(void);
/* False where the map has no such CPU. */
bool cpu_stats__read(int map_fd, int cpu, struct wire_cpu_stats *st);
/* Records lost on the CPU, whatever the cause. */
static inline uint64_t cpu_stats__lost(const struct wire_cpu_stats *st)
{
	return st->lost_full + st->lost_nested + st->lost_no_ring + st->lost_other;
}

#endif

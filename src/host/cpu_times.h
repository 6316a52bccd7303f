/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* CPU times since the machine booted, by /proc/stat (Documentation/filesystems/proc.rst). */
#ifndef BPFPERF_HOST_CPU_TIMES_H
#define BPFPERF_HOST_CPU_TIMES_H

#include <stddef.h>
#include <stdint.h>

struct cpu_times {
	uint64_t user_ns; /* includes niced processes */
	uint64_t system_ns; /* excludes interrupts */
	uint64_t idle_ns; /* includes waiting for I/O */
};

/* Returns the unit of the times in /proc: a clock tick of 10 ms. */
uint64_t cpu_times__unit_ns(void);
/*
 * Parses the CPUs' lines of a text in the format of /proc/stat: the sum of all CPUs into *all (may
 * be NULL), and the times of CPU N into each[N], of cnt entries. The entry of a CPU without a line
 * is unchanged. Returns 0, or -EINVAL for a malformed line.
 */
int cpu_times__parse(const char *text, struct cpu_times *all, struct cpu_times *each, size_t cnt);
/* Reads /proc/stat of this machine, like cpu_times__parse(). Returns 0 or -errno. */
int cpu_times__read(struct cpu_times *all, struct cpu_times *each, size_t cnt);

#endif

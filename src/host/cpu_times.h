/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* CPU times since the machine booted, by /proc/stat (Documentation/filesystems/proc.rst). */
#ifndef BPFPERF_HOST_CPU_TIMES_H
#define BPFPERF_HOST_CPU_TIMES_H

#include <stddef.h>
#include <stdint.h>

struct cpu_times {
	uint64_t user_ns; /* with that of niced processes */
	uint64_t system_ns; /* without interrupts */
	uint64_t idle_ns; /* with that which waits for I/O */
};

/* The unit of /proc's times: a clock tick of 10 ms. */
uint64_t cpu_times__unit_ns(void);
/*
 * The CPUs' lines of a text as /proc/stat has it: into *all what all of them did together (may be
 * NULL), and into each[N], of cnt, what CPU N did; one that has no line keeps what stands there.
 * 0, or -EINVAL where a line is none such.
 */
int cpu_times__parse(const char *text, struct cpu_times *all, struct cpu_times *each, size_t cnt);
/* Reads the times of this machine, now. 0 or -errno. */
int cpu_times__read(struct cpu_times *all, struct cpu_times *each, size_t cnt);

#endif

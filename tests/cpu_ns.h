/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* CPU time of the process: the cost of an input, whatever else the machine does meanwhile. */
#ifndef BPFPERF_TESTS_CPU_NS_H
#define BPFPERF_TESTS_CPU_NS_H

#include <stdint.h>
#include <time.h>

/* CLOCK_PROCESS_CPUTIME_ID, nanoseconds. */
static inline uint64_t cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

#endif

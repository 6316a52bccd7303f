/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_SELFMON_ARCH_X86_H
#define BPFPERF_SELFMON_ARCH_X86_H

#include <linux/perf_event.h>
#include <stdint.h>

#define ARCH_HAS_PMC 1
#define ARCH_REMEDY_OFF "count fewer events at a time"
#define ARCH_REMEDY "write 1 to its file rdpmc in sysfs"
#define ARCH_CORE_FILE "rdpmc"
#define ARCH_SWITCH "/sys/bus/event_source/devices/%s/rdpmc"
#define ARCH_ALLOWED "was 0 when it was opened: open it again"
#define ARCH_NO_SWITCH "there is no remedy"

static inline uint64_t arch_pmc(uint32_t idx)
{
	uint32_t lo, hi;

	__asm__ volatile("rdpmc" : "=a"(lo), "=d"(hi) : "c"(idx));
	return (uint64_t)hi << 32 | lo;
}

static inline uint64_t arch_cycles(void)
{
	uint32_t lo, hi;

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
	return (uint64_t)hi << 32 | lo;
}

/* Every counter may be read where the sysfs file rdpmc allows it. */
static inline int arch_ask(struct perf_event_attr *attr)
{
	return 0;
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* An architecture without counters that user space can read: read(2) is used. */
#ifndef BPFPERF_SELFMON_ARCH_GENERIC_H
#define BPFPERF_SELFMON_ARCH_GENERIC_H

#include <linux/perf_event.h>
#include <stdint.h>

#define ARCH_HAS_PMC 0
#define ARCH_REMEDY_OFF "nothing helps"
#define ARCH_REMEDY "nothing helps"
#define ARCH_CORE_FILE "cpus"
#define ARCH_SWITCH "/nonexistent%.0s"
#define ARCH_ALLOWED "nothing helps"
#define ARCH_NO_SWITCH "nothing helps"

static inline uint64_t arch_pmc(uint32_t idx)
{
	return 0;
}

static inline uint64_t arch_cycles(void)
{
	return 0;
}

static inline int arch_ask(struct perf_event_attr *attr)
{
	return 0;
}

#endif

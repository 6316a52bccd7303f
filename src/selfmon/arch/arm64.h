/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_SELFMON_ARCH_ARM64_H
#define BPFPERF_SELFMON_ARCH_ARM64_H

#include <linux/perf_event.h>
#include <stdint.h>

#define ARCH_HAS_PMC 1
#define ARCH_REMEDY_OFF                                                                            \
	"set sysctl kernel.perf_user_access=1 if it is 0, or count fewer events at a time"
#define ARCH_REMEDY "kernel 5.17 or newer with sysctl kernel.perf_user_access=1 allows it"
#define ARCH_CORE_FILE "cpus"
/* One for all PMUs: no byte of the name is taken. */
#define ARCH_SWITCH "/proc/sys/kernel/perf_user_access%.0s"
#define ARCH_ALLOWED                                                                               \
	"it was opened without config1=2, which asks for such reads: open it by bpfperf_open()"
#define ARCH_NO_SWITCH                                                                             \
	"kernel 5.17 or newer with sysctl kernel.perf_user_access=1 allows it; this one does not"

/* PMUv3: the cycle counter is index 31 of the PMU, event counters are 0 to 30. */
#define ARM64_CYCLE_COUNTER 31

/* config1 of the armv8 PMUs since 5.17: user space requests reads. Older kernels ignore it. */
#define ARM64_CONFIG1_RDPMC 2

#define MRS(name)                                                                                  \
	({                                                                                         \
		uint64_t val_;                                                                     \
		__asm__ volatile("mrs %0, " name : "=r"(val_));                                    \
		val_;                                                                              \
	})

/*
 * The number is part of the instruction. (PMSELR and PMXEVCNTR would need two instructions, with a
 * race between them.)
 */
static inline uint64_t arch_pmc(uint32_t idx)
{
	/* clang-format off */
	switch (idx) {
#define CASE(n) case n: return MRS("pmevcntr" #n "_el0");
	CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7)
	CASE(8) CASE(9) CASE(10) CASE(11) CASE(12) CASE(13) CASE(14) CASE(15)
	CASE(16) CASE(17) CASE(18) CASE(19) CASE(20) CASE(21) CASE(22) CASE(23)
	CASE(24) CASE(25) CASE(26) CASE(27) CASE(28) CASE(29) CASE(30)
#undef CASE
	case ARM64_CYCLE_COUNTER: return MRS("pmccntr_el0");
	default: return 0;
	}
	/* clang-format on */
}

static inline uint64_t arch_cycles(void)
{
	return MRS("cntvct_el0");
}

/* 1: it was requested; if the kernel refuses, the event can be opened without it (64 bits wide). */
static inline int arch_ask(struct perf_event_attr *attr)
{
	if (attr->type == PERF_TYPE_SOFTWARE || attr->type == PERF_TYPE_TRACEPOINT ||
	    attr->type == PERF_TYPE_BREAKPOINT)
		return 0;
	attr->config1 |= ARM64_CONFIG1_RDPMC;
	return 1;
}

#undef MRS

#endif

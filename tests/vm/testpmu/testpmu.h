/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Two PMUs for tests, in a module for virtual machines: "testpmu" counts and samples on four
 * counters, "testaux" writes a pattern into an AUX area. docs/testpmu.md says what they do.
 */
#ifndef TESTPMU_H
#define TESTPMU_H

#include <linux/hrtimer.h>
#include <linux/perf_event.h>
#include <linux/version.h>

/*
 * Registers "testpmu"; as_cpu: as "cpu" of type PERF_TYPE_RAW, which serves cycles, instructions
 * and rNNN where the machine has no PMU (6.1+). 0 or -errno.
 */
int counters__register(bool as_cpu);

/* Undoes counters__register(); no event is left by then. */
void counters__unregister(void);

/*
 * Registers "testaux"; as_intel_pt: as "intel_pt", with sysfs files as a CPU's, which plays a file.
 * 0 or -errno.
 */
int testaux__register(bool as_intel_pt);

/* Undoes testaux__register(); no event is left by then. */
void testaux__unregister(void);

/* A timer that runs in hard interrupts of the CPU that starts it. */
static inline void testpmu__timer_init(struct hrtimer *timer,
				       enum hrtimer_restart (*fn)(struct hrtimer *))
{
	/* hrtimer_init() has gone in 6.15; the other came in 6.13. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(timer, fn, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer->function = fn;
#endif
}

#endif

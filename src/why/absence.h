/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A time that a thread was off the CPU. Times are CLOCK_MONOTONIC, ns. */
#ifndef BPFPERF_WHY_ABSENCE_H
#define BPFPERF_WHY_ABSENCE_H

#include <stdint.h>

/* A thread was off the CPU: blocked until it was woken, then runnable. */
struct why_absence {
	uint64_t start_ns, woken_ns, end_ns; /* woken = start: it was runnable all the time */
	uint32_t thread;
	uint32_t prev; /* the absence of the thread before; WHY_NONE */
	/*
	 * The first of the absences of the thread at one place that follow each other at once: a
	 * thread that is woken for a lock, which another one takes before it, has waited all the
	 * time.
	 */
	uint32_t first;
	uint32_t stack; /* where it was; WHY_NONE: unknown */
	uint32_t waker; /* the thread that woke it; WHY_NONE: unknown, or an interrupt */
	/* The thread that had the CPU for most of the wait; WHY_NONE: idle; or WHY_SOME_THREAD. */
	uint32_t instead;
	uint32_t file; /* index of the file's name in timeline.texts; TEXTS_NONE: none */
	/* In the time on the CPU before: time of interrupts. */
	uint32_t interrupts_ns;
	/*
	 * The thread was seen on a CPU for so much longer than the kernel counted. Shorter than
	 * WHY_STOLEN_MIN_NS: it was seen to leave so much later, and start_ns is earlier by that.
	 */
	uint32_t uncounted_ns;
	uint8_t blocked; /* enum why_kind of each part */
	uint8_t runnable;
	/* the soft interrupt that took most of interrupts_ns, or WHY_HARD_IRQ */
	uint8_t softirq;
	uint8_t prio; /* the kernel's, 0 to 139 */
};

/* The scheduler's clock and the tracepoint's are read some microseconds apart. */
#define WHY_STOLEN_MIN_NS 300000

/* The hypervisor had the CPU. */
static inline uint32_t why_absence__stolen_ns(const struct why_absence *a)
{
	return a->uncounted_ns >= WHY_STOLEN_MIN_NS ? a->uncounted_ns : 0;
}

/* How long after start_ns the thread may still have done something. */
static inline uint32_t why_absence__late_ns(const struct why_absence *a)
{
	return a->uncounted_ns < WHY_STOLEN_MIN_NS ? a->uncounted_ns : 0;
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The kernel's own counts of a thread's time on a CPU and of its time ready to run. The scheduler
 * reads its clock some microseconds before its tracepoints, and a thread that is woken is ready to
 * run only when it is in a CPU's queue: the counts tell how much of an absence is each.
 */
#ifndef BPFPERF_WHY_COUNTED_H
#define BPFPERF_WHY_COUNTED_H

#include "why/timeline.h"

/* The counts of a thread that leaves the CPU. */
struct why_counts {
	uint64_t cpu_ns;
	uint64_t ready_ns; /* up to when it came to the CPU; WHY_NO_TIME: not counted */
	/* Interrupts since it came to the CPU had so much time; apart: it is not in cpu_ns. */
	uint64_t interrupts_ns;
	bool interrupts_apart;
};

/*
 * A thread leaves the CPU: the absence begins, and is not added yet. It begins where the thread's
 * CPU time ends by the kernel's count; if that is hundreds of microseconds earlier, the hypervisor
 * had the CPU meanwhile (uncounted_ns). The thread's absence before gets the time ready to run that
 * the kernel counted. A new thread has waited for its first CPU: that absence is added.
 */
void why_counted__leave(struct why_timeline *tl, struct why_absence *to,
			const struct why_counts *counts);

/* The thread that has come back was ready to run for so long of the time since its wakeup. */
void why_counted__ready(struct why_timeline *tl, uint32_t thread, uint64_t ready_ns);

#endif

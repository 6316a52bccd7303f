/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The facts that tell why a thread was off the CPU, shared by the BPF programs and the loader. The
 * including side defines the types.
 */
#ifndef BPFPERF_WHY_WIRE_H
#define BPFPERF_WHY_WIRE_H

/* Bytes of a file's name, the NUL included: a longer name is cut. */
#define WIRE_WHY_NAME 40

enum wire_why_flag {
	WIRE_WHY_THROTTLED = 1, /* it had used up the CPU time of its control group */
	/* The first argument of its system call, if it is in one, is the number of this file. */
	WIRE_WHY_FILE = 2,
	/* The first or the second argument is 0: select(2) or poll(2) of no descriptors sleeps. */
	WIRE_WHY_ZERO_FIRST = 4,
	WIRE_WHY_ZERO_SECOND = 8,
	/* The kernel does not count the time of interrupts as the thread's. */
	WIRE_WHY_INTERRUPTS_APART = 16,
};

/* Behind a struct wire_offcpu, if the session wants facts. */
struct wire_why {
	/* When the thread left: */
	__u16 flags; /* enum wire_why_flag */
	__s16 prio; /* the kernel's: 0 to 99 are of real time, lower is better */
	__u32 mode; /* type and permissions, as of stat(2) */
	char name[WIRE_WHY_NAME]; /* the last part of the path */
	/* Time that interrupts took since the thread came to this CPU. */
	__u64 irq_ns, softirq_ns;
	__u64 faults; /* the thread's page faults so far, from memory or from storage */
	__u32 softirq; /* number of the soft interrupt that took most of softirq_ns */
	/* When it came back: the task that had the CPU for most of the wait, and how long. */
	__u32 instead_tid; /* 0: the CPU was idle */
	__u64 instead_ns;
};

#endif

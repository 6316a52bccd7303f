/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The price of a hit of a probe on this machine: an empty program is attached to functions of
 * bpfperf itself, and to a system call that it makes, and some hundred hits are timed.
 */
#ifndef BPFPERF_KERNEL_HIT_COST_H
#define BPFPERF_KERNEL_HIT_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "event/probe.h"

struct hit_costs {
	uint32_t ns[HIT_CLASS_CNT]; /* 0: not measured */
	uint32_t return_ns[2]; /* on top of it, of the call's return, by in_kernel; 0: likewise */
	/* A hit at a nop5 overwrites the eight bytes below the stack pointer. */
	bool red_zone;
};

/* The empty programs. Zeroed, and closed, it measures nothing. */
struct hit_meter {
	int fds[2]; /* by in_kernel; 0: none */
};

/*
 * Loads the programs, in 0.1 ms each, for functions of programs and of the kernel. Those that this
 * kernel has no links for (before 6.6, and before 5.18) are left out: there each hit of the trial
 * would be a perf event, which the kernel releases in 0.2 s.
 */
void hit_meter__open(struct hit_meter *m, bool user, bool kernel);
/*
 * Measures in 20 to 90 ms, most of which the kernel spends on attaching and detaching: the classes
 * of a set of bits by enum hit_class, and with with_return the returns of calls, too. Any thread
 * may do it; CAP_BPF is all that it needs by now.
 */
void hit_meter__measure(const struct hit_meter *m, unsigned int classes, bool with_return,
			struct hit_costs *costs);
void hit_meter__close(struct hit_meter *m);

#endif

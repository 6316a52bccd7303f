/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * How many threads of the target run now: a flag for each CPU, which only that CPU writes, and
 * which says what runs there. The number is the sum of the flags, so that it can neither drift nor
 * exceed the number of CPUs: an event that was missed leaves one flag wrong until the next switch
 * or sample of its CPU. A shared counter would keep the error forever.
 */
#ifndef BPFPERF_RUNNING_BPF_H
#define BPFPERF_RUNNING_BPF_H

#include <bpf/bpf_helpers.h>

#include "wire.h"

/*
 * A sample's period is divided by the number of threads of the target that run, of which there are
 * running_words words of flags.
 */
const volatile _Bool weigh_latency __weak = 0;
const volatile __u32 running_words __weak = 1;

/* A byte for each CPU: 1: a thread of the target runs there. */
__u64 running[WIRE_MAX_CPUS / 8] __weak = {};

static __always_inline void flag_running(__u32 cpu, __u8 runs)
{
	volatile __u8 *flag = (volatile __u8 *)running + (cpu & (WIRE_MAX_CPUS - 1));

	/* Most switches change nothing, and then the line stays with the CPUs that read it. */
	if (*flag != runs)
		*flag = runs;
}

/* Returns the number of threads that run, 1 at least: the caller's is one of them. */
static __always_inline __u64 running_cnt(void)
{
	__u64 cnt = 0;
	__u32 i;

	for (i = 0; i < WIRE_MAX_CPUS / 8 && i < running_words; i++)
		cnt += (*(volatile __u64 *)&running[i] * 0x0101010101010101ull) >> 56;
	return cnt ? cnt : 1;
}

#endif

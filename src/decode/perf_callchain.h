/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The callchain of a recorded sample: its addresses in order, kernel and user told apart. */
#ifndef BPFPERF_DECODE_PERF_CALLCHAIN_H
#define BPFPERF_DECODE_PERF_CALLCHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct callchain;
struct perf_sample;
struct stack_dump;

/* A record has no room for more addresses. */
#define PERF_CALLCHAIN_MAX 8192

struct perf_callchain {
	uint64_t addrs[PERF_CALLCHAIN_MAX]; /* innermost first */
	bool is_kernel[PERF_CALLCHAIN_MAX]; /* else a user address */
	uint16_t cnt;
	uint16_t unwound; /* index of the first address from a copy of the stack; cnt: none */
	uint64_t sides[PERF_CALLCHAIN_MAX]; /* addresses of the result of perf_callchain__split() */
};

/*
 * Fills *pc from the sample's callchain, whose marks tell kernel and user apart; addresses of a
 * guest or the hypervisor are omitted. Addresses before the first mark are of s->cpumode. The user
 * stack that was recorded as memory is unwound and appended. A sample with neither has its one
 * address. At most max_stack frames are kept of each: of the callchain the innermost, or with
 * `outermost` the outermost.
 */
void perf_callchain__decode(struct perf_callchain *pc, const struct perf_sample *s,
			    struct stack_dump *dump, size_t max_stack, bool outermost);
/* Fills *pc with the unwound user stack alone; it is empty if the sample has no copy of its stack. */
void perf_callchain__unwind(struct perf_callchain *pc, const struct perf_sample *s,
			    struct stack_dump *dump, size_t max_stack);
/* Separates kernel from user addresses; the result is valid until pc changes. */
struct callchain perf_callchain__split(struct perf_callchain *pc);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The callchain of a recorded sample: its addresses in order, kernel and user addresses separated.
 */
#ifndef BPFPERF_DECODE_PERF_CALLCHAIN_H
#define BPFPERF_DECODE_PERF_CALLCHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct callchain;
struct perf_sample;
struct stack_dump;

/* Maximum number of addresses that fit into a record. */
#define PERF_CALLCHAIN_MAX 8192

struct perf_callchain {
	uint64_t addrs[PERF_CALLCHAIN_MAX]; /* innermost first */
	bool is_kernel[PERF_CALLCHAIN_MAX]; /* else a user address */
	uint16_t cnt;
	uint16_t unwound; /* index of the first unwound address; cnt: none */
	uint64_t sides[PERF_CALLCHAIN_MAX]; /* addresses returned by perf_callchain__split() */
};

/*
 * Fills *pc from the sample's callchain; its PERF_CONTEXT_* markers separate kernel and user
 * addresses. Addresses of a guest or the hypervisor are omitted. Addresses before the first marker
 * have the level of s->cpumode. A user stack recorded as memory is unwound and appended. A sample
 * with neither yields its own address. At most max_stack frames of each are kept: the innermost
 * ones of the callchain, or with `outermost` the outermost.
 */
void perf_callchain__decode(struct perf_callchain *pc, const struct perf_sample *s,
			    struct stack_dump *dump, size_t max_stack, bool outermost);
/*
 * Fills *pc with the unwound user stack only; it is empty if the sample has no copy of its stack.
 */
void perf_callchain__unwind(struct perf_callchain *pc, const struct perf_sample *s,
			    struct stack_dump *dump, size_t max_stack);
/* Separates kernel from user addresses; the result is valid until pc changes. */
struct callchain perf_callchain__split(struct perf_callchain *pc);

#endif

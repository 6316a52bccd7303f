/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The callchain of a recorded sample: its addresses in order, and whose each is. */
#ifndef BPFPERF_DECODE_PERF_CALLCHAIN_H
#define BPFPERF_DECODE_PERF_CALLCHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct callchain;
struct perf_sample;
struct stack_dump;

/* More addresses no record has room for. */
#define PERF_CALLCHAIN_MAX 8192

struct perf_callchain {
	uint64_t addrs[PERF_CALLCHAIN_MAX]; /* innermost first */
	bool is_kernel[PERF_CALLCHAIN_MAX]; /* else a user's */
	uint16_t cnt;
	uint16_t unwound; /* those from here on come of a copy of the stack; cnt: none do */
	uint64_t sides[PERF_CALLCHAIN_MAX]; /* those of the callchain of perf_callchain__split() */
};

/*
 * From the sample's callchain, as its marks tell them apart; what neither the kernel nor a user
 * ran (a guest, the hypervisor) is left out. cpumode: as in the record's header, of addresses
 * before the first mark. Behind it stands the user's stack where that was recorded as memory. A
 * sample with neither has its one address. Of each at most max_stack frames, of the callchain the
 * innermost, or the outermost.
 */
void perf_callchain__take(struct perf_callchain *rc, const struct perf_sample *s, uint16_t cpumode,
			  struct stack_dump *us, size_t max_stack, bool outermost);
/* The kernel's addresses and the user's apart; valid as long as rc is unchanged. */
struct callchain perf_callchain__split(struct perf_callchain *rc);

#endif

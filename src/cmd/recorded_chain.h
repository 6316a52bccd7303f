/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The callchain of a recorded sample: its addresses in order, and whose each is. */
#ifndef BPFPERF_CMD_RECORDED_CHAIN_H
#define BPFPERF_CMD_RECORDED_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct callchain;
struct perf_sample;
struct user_stacks;

/* More addresses no record has room for. */
#define RECORDED_CHAIN_MAX 8192

struct recorded_chain {
	uint64_t addrs[RECORDED_CHAIN_MAX]; /* innermost first */
	bool is_kernel[RECORDED_CHAIN_MAX]; /* else a user's */
	uint16_t cnt;
	uint16_t unwound; /* those from here on come of a copy of the stack; cnt: none do */
	uint64_t sides[RECORDED_CHAIN_MAX]; /* those of the callchain of recorded_chain__split() */
};

/*
 * From the sample's callchain, as its marks tell them apart; what neither the kernel nor a user
 * ran (a guest, the hypervisor) is left out. cpumode: as in the record's header, of addresses
 * before the first mark. Behind it stands the user's stack where that was recorded as memory. A
 * sample with neither has its one address. Of each at most max_stack frames, of the callchain the
 * innermost, or the outermost.
 */
void recorded_chain__take(struct recorded_chain *rc, const struct perf_sample *s, uint16_t cpumode,
			  struct user_stacks *us, size_t max_stack, bool outermost);
/* The kernel's addresses and the user's apart; valid as long as rc is unchanged. */
struct callchain recorded_chain__split(struct recorded_chain *rc);

#endif

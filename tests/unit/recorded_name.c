// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Names of events in recordings that have none: those of perf script for the same attrs. */
#include "data/recorded_name.h"

#include <linux/hw_breakpoint.h>

#include "tap.h"

#define CACHE(cache, op, result)                                                                   \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 |                          \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

static const struct {
	const char *name;
	struct perf_event_attr attr;
} events[] = {
	{ "cycles", { .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES } },
	{ "branches", { .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS } },
	{ "stalled-cycles-backend",
	  { .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_STALLED_CYCLES_BACKEND } },
	{ "page-faults", { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS } },
	{ "cpu-clock:u",
	  { .type = PERF_TYPE_SOFTWARE,
	    .config = PERF_COUNT_SW_CPU_CLOCK,
	    .exclude_kernel = 1,
	    .exclude_hv = 1 } },
	{ "cycles:kh", { .type = PERF_TYPE_HARDWARE, .exclude_user = 1 } },
	{ "cycles:ppH", { .type = PERF_TYPE_HARDWARE, .precise_ip = 2, .exclude_guest = 1 } },
	{ "cycles:G", { .type = PERF_TYPE_HARDWARE, .exclude_host = 1 } },
	{ "cycles", { .type = PERF_TYPE_HARDWARE, .exclude_guest = 1 } },
	{ "raw 0x1c0", { .type = PERF_TYPE_RAW, .config = 0x1c0 } },
	{ "L1-dcache-load-misses",
	  { .type = PERF_TYPE_HW_CACHE, .config = CACHE(L1D, READ, MISS) } },
	{ "LLC-stores", { .type = PERF_TYPE_HW_CACHE, .config = CACHE(LL, WRITE, ACCESS) } },
	{ "mem:0x1000:rw",
	  { .type = PERF_TYPE_BREAKPOINT, .bp_addr = 0x1000, .bp_type = HW_BREAKPOINT_RW } },
	{ "mem:0x2000:x",
	  { .type = PERF_TYPE_BREAKPOINT, .bp_addr = 0x2000, .bp_type = HW_BREAKPOINT_X } },
	{ "type=77,config=0x5", { .type = 77, .config = 5 } },
};

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(events) / sizeof(*events); i++) {
		const struct recorded_event ev = { .attr = events[i].attr };
		struct strbuf sb = STRBUF_INIT;

		recorded_name__put(&ev, &sb);
		is_str(strbuf__cstr(&sb), events[i].name, "an attr's name: %s", events[i].name);
		strbuf__free(&sb);
	}
	return done_testing();
}

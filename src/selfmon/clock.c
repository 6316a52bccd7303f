// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The clock of libbpfperf: cycles of the processor to nanoseconds. */
#include <errno.h>
#include <linux/perf_event.h>

#include "selfmon/arch.h"
#include "selfmon/page.h"

/* The conversion is in every event's page, even in that of an event that counts nothing. */
int bpfperf_clock_open(struct bpfperf_clock *clock)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	const struct perf_event_mmap_page *page;
	struct bpfperf_counter counter;
	uint32_t seq;
	int err;

	err = bpfperf_open(&counter, &attr, 1, NULL);
	if (err)
		return err;
	page = counter.page;
	err = page ? -ENOTSUP : -EPERM;
	while (page) {
		seq = page__begin(page);
		if (page->cap_user_time_zero) {
			*clock = (struct bpfperf_clock){
				.time_zero = ONCE(page->time_zero),
				.time_mask = ~0ull,
				.time_mult = ONCE(page->time_mult),
				.time_shift = ONCE(page->time_shift),
			};
			if (page->cap_user_time_short) {
				clock->time_cycles = ONCE(page->time_cycles);
				clock->time_mask = ONCE(page->time_mask);
			}
			err = clock->time_mult ? 0 : -ENOTSUP;
		}
		if (!page__retry(page, seq))
			break;
	}
	bpfperf_close(&counter, 1);
	return err;
}

uint64_t bpfperf_cycles(void)
{
	return arch_cycles();
}

uint64_t bpfperf_cycles_to_ns(const struct bpfperf_clock *clock, uint64_t cycles)
{
	cycles = page__unwrap(cycles, clock->time_cycles, clock->time_mask);
	return clock->time_zero + page__mul_shift(cycles, clock->time_mult, clock->time_shift);
}

uint64_t bpfperf_ns_to_cycles(const struct bpfperf_clock *clock, uint64_t ns)
{
	uint64_t time = ns - clock->time_zero;
	uint64_t quot = time / clock->time_mult, rem = time % clock->time_mult;

	return (quot << clock->time_shift) + (rem << clock->time_shift) / clock->time_mult;
}

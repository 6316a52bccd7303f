/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The read loop of a counter's page, after the comments of struct perf_event_mmap_page in
 * <linux/perf_event.h>. Hardware comes in as two functions, constants where this is inlined, so
 * that tests can put a simulated PMU behind a simulated page.
 */
#ifndef BPFPERF_SELFMON_PAGE_H
#define BPFPERF_SELFMON_PAGE_H

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "selfmon/bpfperf.h"

#define ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define PAGE_INLINE __attribute__((always_inline)) static inline

typedef uint64_t (*pmc_fn)(uint32_t idx);
typedef uint64_t (*cycles_fn)(void);

/*
 * The kernel writes a page of one's own counter on one's own CPU, where a barrier of the
 * compiler would do; but a counter that is not on a PMU may be written from another one (an
 * ioctl of another thread), which acquire orders. It is free on x86-64.
 */
PAGE_INLINE uint32_t page__begin(const struct perf_event_mmap_page *page)
{
	return __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
}

/* Odd: a write is in progress. */
PAGE_INLINE bool page__retry(const struct perf_event_mmap_page *page, uint32_t seq)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return seq & 1 || __atomic_load_n(&page->lock, __ATOMIC_RELAXED) != seq;
}

/* A counter of `width` bits, sign-extended: the kernel starts it below zero to have it overflow. */
PAGE_INLINE uint64_t page__extend(uint64_t pmc, uint16_t width)
{
	unsigned int shift = width && width < 64 ? 64u - width : 0;

	return (uint64_t)((int64_t)(pmc << shift) >> shift);
}

/* Clock → ns: split so that the product does not overflow. */
PAGE_INLINE uint64_t page__mul_shift(uint64_t cycles, uint32_t mult, uint16_t shift)
{
	uint64_t quot = cycles >> shift, rem = cycles & ((1ull << shift) - 1);

	return quot * mult + ((rem * mult) >> shift);
}

/* A clock of few bits that wraps: cycles since the page was written, from the available bits. */
PAGE_INLINE uint64_t page__unwrap(uint64_t cycles, uint64_t since, uint64_t mask)
{
	return since + ((cycles - since) & mask);
}

/*
 * The value of index - 1 that means PERF_METRICS on x86: topdown events have 8 bits each there,
 * from which the kernel makes their counts. Other architectures have no index that large.
 */
#define PAGE_METRICS (1u << 29)

/* True if the page's index refers to a counter. */
PAGE_INLINE bool page__is_counter(uint32_t index)
{
	return index && !((index - 1) & PAGE_METRICS);
}

/*
 * Reads the value into val->value. 0; -EAGAIN if user space cannot read it: not on the PMU now (the
 * offset may then be stale, if user access was switched off after it was opened), or no user-space
 * reads. Use only inside a loop of page__begin() and page__retry().
 */
PAGE_INLINE int page__value(const struct perf_event_mmap_page *page, pmc_fn pmc, uint64_t *value)
{
	uint32_t index = ONCE(page->index);

	if (!page->cap_user_rdpmc || !page__is_counter(index))
		return -EAGAIN;
	*value = (uint64_t)ONCE(page->offset) + page__extend(pmc(index - 1), ONCE(page->pmc_width));
	return 0;
}

/* The inputs from which the times are computed. */
struct page_times {
	uint64_t enabled_ns, running_ns, offset_ns, cycles, since, mask;
	uint32_t mult;
	uint16_t shift;
};

/* Inside the loop. -EAGAIN: no clock. */
PAGE_INLINE int page__times(const struct perf_event_mmap_page *page, cycles_fn cycles,
			    struct page_times *t)
{
	if (!page->cap_user_time)
		return -EAGAIN;
	t->enabled_ns = ONCE(page->time_enabled);
	t->running_ns = ONCE(page->time_running);
	t->offset_ns = ONCE(page->time_offset);
	t->mult = ONCE(page->time_mult);
	t->shift = ONCE(page->time_shift);
	t->since = 0;
	t->mask = ~0ull;
	if (page->cap_user_time_short) {
		t->since = ONCE(page->time_cycles);
		t->mask = ONCE(page->time_mask);
	}
	t->cycles = cycles();
	return 0;
}

/* After the loop. The counter is on the PMU, so both times advance. */
PAGE_INLINE void page__finish(const struct page_times *t, struct bpfperf_value *val)
{
	uint64_t cycles = page__unwrap(t->cycles, t->since, t->mask);
	uint64_t delta = t->offset_ns + page__mul_shift(cycles, t->mult, t->shift);

	/* The clock may lag slightly behind the one that the page was written by. */
	if ((int64_t)delta < 0)
		delta = 0;
	val->enabled_ns = t->enabled_ns + delta;
	val->running_ns = t->running_ns + delta;
}

/* Reads all values: 0 or -EAGAIN. */
PAGE_INLINE int page__read(const struct perf_event_mmap_page *page, pmc_fn pmc, cycles_fn cycles,
			   struct bpfperf_value *val)
{
	struct page_times times;
	uint32_t seq;
	int err;

	do {
		seq = page__begin(page);
		err = page__times(page, cycles, &times);
		if (!err)
			err = page__value(page, pmc, &val->value);
	} while (page__retry(page, seq));
	if (!err)
		page__finish(&times, val);
	return err;
}

/* Reads the value alone: 0 or -EAGAIN. */
PAGE_INLINE int page__read_value(const struct perf_event_mmap_page *page, pmc_fn pmc,
				 uint64_t *value)
{
	uint32_t seq;
	int err;

	do {
		seq = page__begin(page);
		err = page__value(page, pmc, value);
	} while (page__retry(page, seq));
	return err;
}

#endif

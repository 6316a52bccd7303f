// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The read loop of a counter's page, with a simulated page, PMU and clock behind it. */
#include <pthread.h>

#include "selfmon/page.h"
#include "rnd.h"
#include "tap.h"

#define READS 1000003
#define STATES 1009 /* the reader goes on until it has seen so many */
#define PMC_CNT 4

/* The page, which the simulated kernel writes under its lock. */
static struct perf_event_mmap_page page;
static uint64_t pmcs[PMC_CNT];
static uint64_t clock_cycles;
static bool stop;

#define STORE(x, v) __atomic_store_n(&(x), v, __ATOMIC_RELAXED)

static uint64_t sim_pmc(uint32_t idx)
{
	return __atomic_load_n(&pmcs[idx], __ATOMIC_RELAXED);
}

static uint64_t sim_cycles(void)
{
	return __atomic_load_n(&clock_cycles, __ATOMIC_RELAXED);
}

/*
 * State n of the counter: value 7n + 3, enabled 1000n, running 600n, put together from parts
 * that are random, so that parts of two states give the sums of none.
 */
static void write_state(uint64_t n)
{
	uint64_t pmc = rnd64(), cycles = rnd64() >> 8, ahead = rnd64() % 1000;
	uint32_t index = n % 8 ? 1 + (uint32_t)(n % PMC_CNT) : 0;
	int64_t in_pmc = (int64_t)(pmc << 16) >> 16;

	STORE(page.lock, page.lock + 1);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	STORE(page.index, index);
	STORE(page.offset, (int64_t)(7 * n + 3) - in_pmc);
	STORE(page.time_enabled, 1000 * n - ahead);
	STORE(page.time_running, 600 * n - ahead);
	STORE(page.time_offset, ahead - (cycles >> 1));
	if (index)
		STORE(pmcs[index - 1], pmc & ((1ull << 48) - 1));
	STORE(clock_cycles, cycles);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	STORE(page.lock, page.lock + 1);
}

static void init_page(void)
{
	memset(&page, 0, sizeof(page));
	page.cap_user_rdpmc = 1;
	page.cap_user_time = 1;
	page.pmc_width = 48;
	/* A clock of 2 GHz. */
	page.time_mult = 1u << 9;
	page.time_shift = 10;
}

static void *write_states(void *arg)
{
	uint64_t n = 2, pauses;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		write_state(n++);
		/* Pauses for the time of a few reads, each of which would otherwise fail. */
		for (pauses = n % 128; pauses; pauses--)
			__atomic_thread_fence(__ATOMIC_SEQ_CST);
	}
	return NULL;
}

static void test_writer(void)
{
	uint64_t torn = 0, off = 0, reads = 0, distinct = 0, last = 0, backward = 0;
	struct bpfperf_value val;
	pthread_t writer;

	init_page();
	write_state(1);
	pthread_create(&writer, NULL, write_states, NULL);
	while (reads < READS || distinct < STATES) {
		uint64_t n;

		if (page__read(&page, sim_pmc, sim_cycles, &val)) {
			off++;
			continue;
		}
		reads++;
		n = val.enabled_ns / 1000;
		torn += val.value != 7 * n + 3 || val.enabled_ns != 1000 * n ||
			val.running_ns != 600 * n;
		distinct += n != last;
		backward += n < last;
		last = n;
	}
	STORE(stop, true);
	pthread_join(writer, NULL);
	is_u64(torn, 0, "of %" PRIu64 " reads beside a writer none is torn", reads);
	is_u64(backward, 0, "no read beside a writer goes back");
	ok(distinct >= STATES, "reads beside a writer saw %" PRIu64 " states", distinct);
	diag("%" PRIu64 " times it was off the PMU", off);
}

/* A kernel that writes the page just when the reader has the counter's number. */
static unsigned int interruptions;

static uint64_t interrupted_pmc(uint32_t idx)
{
	uint64_t pmc = sim_pmc(idx);

	if (interruptions) {
		interruptions--;
		write_state(101 + interruptions);
	}
	return pmc;
}

/* Is interrupted at the read of the clock. */
static uint64_t interrupted_cycles(void)
{
	uint64_t cycles = sim_cycles();

	if (interruptions) {
		interruptions--;
		write_state(201 + interruptions);
	}
	return cycles;
}

static void test_interrupted(void)
{
	struct bpfperf_value val = { 0 };
	uint64_t value = 0;

	init_page();
	write_state(99);
	interruptions = 3;
	page__read(&page, interrupted_pmc, sim_cycles, &val);
	is_u64(val.value, 7 * 101 + 3, "written three times between: the last state's value");
	is_u64(val.enabled_ns, 101000, "written three times between: the last state's time");
	write_state(99);
	interruptions = 2;
	page__read(&page, sim_pmc, interrupted_cycles, &val);
	is_u64(val.value, 7 * 201 + 3, "written while the clock was read: the value");
	is_u64(val.running_ns, 600 * 201, "written while the clock was read: the time");
	write_state(99);
	interruptions = 1;
	page__read_value(&page, interrupted_pmc, &value);
	is_u64(value, 7 * 101 + 3, "the value alone");
	/* To state 104, which is on no PMU. */
	write_state(99);
	interruptions = 4;
	ok(page__read(&page, interrupted_pmc, sim_cycles, &val) == -EAGAIN,
	   "taken off the PMU between: not to be read");
}

static void test_caps(void)
{
	struct bpfperf_value val;
	uint64_t value = 0;

	init_page();
	write_state(9);
	page.cap_user_time = 0;
	ok(page__read(&page, sim_pmc, sim_cycles, &val) == -EAGAIN, "no clock: no times");
	ok(page__read_value(&page, sim_pmc, &value) == 0 && value == 66, "no clock: the value");
	page.cap_user_rdpmc = 0;
	ok(page__read_value(&page, sim_pmc, &value) == -EAGAIN, "no user access: no value");
	init_page();
	write_state(16);
	ok(page__read(&page, sim_pmc, sim_cycles, &val) == -EAGAIN, "index 0: not on the PMU");
}

static uint64_t pmc_is_42(uint32_t idx)
{
	return 42;
}

/* x86's numbers that are more than an index: fixed counters, and PERF_METRICS, which is none. */
static void test_numbers(void)
{
	const struct bpfperf_counter c = { .page = &page };
	struct bpfperf_value val;
	uint64_t value = 0;

	init_page();
	page.index = (1u << 30 | 2) + 1;
	ok(page__read_value(&page, pmc_is_42, &value) == 0 && value == 42, "a fixed counter");
	page.index = (1u << 29) + 1;
	ok(page__read_value(&page, pmc_is_42, &value) == -EAGAIN, "topdown metrics: no value");
	ok(page__read(&page, pmc_is_42, sim_cycles, &val) == -EAGAIN,
	   "topdown metrics with times: no value");
	/* An architecture that can read no counters has its own. */
	ok(bpfperf_why(&c) && (strstr(bpfperf_why(&c), "topdown metric") ||
			       strstr(bpfperf_why(&c), "architecture")),
	   "why: %s", bpfperf_why(&c) ? bpfperf_why(&c) : "nothing");
}

static void test_short_clock(void)
{
	struct bpfperf_value val = { 0 };

	init_page();
	page.cap_user_time_short = 1;
	page.time_mask = 0xffffff;
	/* Written at 0x1_fffff0, read 0x20 later, when its 24 bits have wrapped. */
	page.time_cycles = 0x1fffff0;
	page.time_offset = 0 - (0x1fffff0ull >> 1);
	page.time_enabled = 5000;
	page.time_running = 4000;
	page.index = 1;
	page.pmc_width = 64;
	clock_cycles = 0x10;
	pmcs[0] = 42;
	page__read(&page, sim_pmc, sim_cycles, &val);
	is_u64(val.enabled_ns, 5000 + 16, "a clock of 24 bits wraps between: enabled");
	is_u64(val.running_ns, 4000 + 16, "a clock of 24 bits wraps between: running");
	is_u64(val.value, 42, "a counter of 64 bits is not extended");
}

static void test_extension(void)
{
	is_u64(page__extend(0xffffffffffffull, 48), ~0ull, "-1 in 48 bits");
	is_u64(page__extend(0x7fffffffffffull, 48), 0x7fffffffffffull, "the largest in 48 bits");
	is_u64(page__extend(0x80000000ull, 32), 0xffffffff80000000ull, "the smallest in 32 bits");
	is_u64(page__extend(0xdead00000001ull, 32), 1, "bits above the width do not count");
	is_u64(page__extend(~0ull, 64), ~0ull, "a counter of 64 bits: all bits count");
	is_u64(page__extend(5, 0), 5, "no width is told");
}

int main(void)
{
	test_extension();
	test_caps();
	test_numbers();
	test_short_clock();
	test_interrupted();
	test_writer();
	return done_testing();
}

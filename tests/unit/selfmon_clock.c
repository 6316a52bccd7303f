// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Hardware clock ↔ perf's clock, against the same in 128 bits; and what needs no counter. */
#include "selfmon/bpfperf.h"
#include "rnd.h"
#include "tap.h"

#define ROUNDS 100003

typedef unsigned __int128 u128;

/* Clocks of real kernels: a TSC of 2.1 and 3.4 GHz, arm64's of 62.5 MHz, 24 MHz and 1 GHz. */
static const struct bpfperf_clock clocks[] = {
	{ 1234567890123ull, 0, ~0ull, 1022611261, 31 },
	{ 0ull - 99887766ull, 0, ~0ull, 1263225676, 32 },
	{ 77ull, 0, ~0ull, 268435456, 24 },
	{ 0ull - 5ull, 0, (1ull << 56) - 1, 699050667, 24 },
	{ 0ull, 0, ~0ull, 16777216, 24 },
};

static uint64_t exact_ns(const struct bpfperf_clock *clk, uint64_t cycles)
{
	return clk->time_zero + (uint64_t)((u128)cycles * clk->time_mult >> clk->time_shift);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static void test_clock(const struct bpfperf_clock *clk, int nr)
{
	uint64_t wrong = 0, off = 0, back = 0;
	/* Two cycles or ns, whichever is longer, are lost by rounding at most. */
	uint64_t tick = (1ull << clk->time_shift) / clk->time_mult + 2;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		uint64_t cycles = rnd64() >> (10 + i % 40), ns;

		ns = bpfperf_cycles_to_ns(clk, cycles);
		wrong += ns != exact_ns(clk, cycles);
		off += distance(bpfperf_ns_to_cycles(clk, ns), cycles) > tick;
		back += bpfperf_cycles_to_ns(clk, cycles + 1) < ns && ns + 100 > ns;
	}
	is_u64(wrong, 0, "clock %d: %d conversions are exact", nr, ROUNDS);
	is_u64(off, 0, "clock %d: conversion and back within %" PRIu64 " cycles", nr, tick);
	is_u64(back, 0, "clock %d: later is not earlier", nr);
}

static void test_short(void)
{
	/* Its page was written at 0xfff0 of a clock that shows 16 bits. */
	struct bpfperf_clock clk = { 1000, 0x5fff0, 0xffff, 1 << 10, 10 };

	is_u64(bpfperf_cycles_to_ns(&clk, 0xfff0), 1000 + 0x5fff0,
	       "a short clock that has not wrapped");
	is_u64(bpfperf_cycles_to_ns(&clk, 0x0005), 1000 + 0x60005,
	       "a short clock that has wrapped");
}

static void test_scaled(void)
{
	struct bpfperf_value half = { 1000, 200, 100 }, never = { 0, 7, 0 }, all = { 3, 9, 9 };
	struct bpfperf_value large = { 1ull << 62, 3ull << 40, 2ull << 40 };

	is_u64(bpfperf_scaled(&half), 2000, "scaled: half the time counts twice");
	is_u64(bpfperf_scaled(&never), 0, "scaled: never running counts nothing");
	is_u64(bpfperf_scaled(&all), 3, "scaled: all the time is the value");
	is_u64(bpfperf_scaled(&large), (3ull << 61), "scaled: large values do not overflow");
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		test_clock(&clocks[i], (int)i);
	test_short();
	test_scaled();
	return done_testing();
}

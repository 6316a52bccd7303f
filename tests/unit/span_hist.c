// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Histograms of durations: the arithmetic of buckets, and how far quantiles are off. */
#include <math.h>
#include <stdlib.h>

#include <linux/types.h>

#include "bpf/span_wire.h"
#include "span/hist.h"
#include "tap.h"

/* Every bucket: its bounds are in it, its neighbours are not, and its middle is near both. */
static void test_buckets(void)
{
	unsigned int wrong = 0, far = 0;
	uint32_t b;

	for (b = 0; b < WIRE_SPAN_BUCKETS; b++) {
		uint64_t from = span_bucket__from(b), last = span_bucket__to(b) - 1;
		uint64_t middle = from + (last - from) / 2;

		wrong += wire_span_bucket(from) != b || wire_span_bucket(last) != b;
		wrong += from && wire_span_bucket(from - 1) != b - 1;
		far += (double)(middle - from) > (double)from / 128;
		far += (double)(last - middle) > (double)last / 128 + 1;
	}
	ok(wrong == 0, "buckets: each begins where the one before it ends (%u)", wrong);
	ok(far == 0, "buckets: the middle is at most 1/128 off (%u)", far);
	ok(wire_span_bucket(UINT64_MAX) == WIRE_SPAN_BUCKETS - 1,
	   "buckets: 2^64 - 1 is in the last");
}

/* Every number up to a million, and one in each of many steps above. */
static void test_numbers(void)
{
	unsigned int wrong = 0;
	uint64_t ns;

	for (ns = 0; ns < UINT64_MAX / 2; ns += ns < 1000003 ? 1 : ns / 1009) {
		uint32_t b = wire_span_bucket(ns);

		wrong += span_bucket__from(b) > ns || span_bucket__to(b) <= ns;
	}
	ok(wrong == 0, "buckets: each number lies in its own (%u)", wrong);
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

#define CNT 10007

/* Quantiles of numbers that are spread over nine powers of ten, beside those of the sorted list. */
static void test_quantiles(void)
{
	static uint64_t numbers[CNT];
	struct span_hist h = {};
	uint64_t state = 1, sum = 0;
	double worst = 0;
	size_t i;

	for (i = 0; i < CNT; i++) {
		state = state * 6364136223846793005ull + 1442695040888963407ull;
		numbers[i] = (uint64_t)pow(10, (double)(state >> 40) / (1 << 24) * 9);
		sum += numbers[i];
		span_hist__add(&h, wire_span_bucket(numbers[i]), 1, numbers[i], numbers[i]);
	}
	qsort(numbers, CNT, sizeof(numbers[0]), compare);
	for (i = 1; i <= 1000; i++) {
		double q = (double)i / 1000;
		uint64_t want = numbers[(size_t)ceil(q * CNT) - 1];
		double off = fabs((double)span_hist__quantile(&h, q) - (double)want) / (double)want;

		worst = off > worst ? off : worst;
	}
	ok(worst <= 0.02, "quantiles: at most 2 %% off (%.3f %%)", worst * 100);
	is_u64(h.total, CNT, "quantiles: the number of durations");
	is_u64(h.ns, sum, "quantiles: the sum is exact");
	is_u64(h.max_ns, numbers[CNT - 1], "quantiles: the longest is exact");
	is_u64(span_hist__quantile(&h, 1), numbers[CNT - 1], "quantiles: the last is the longest");
	span_hist__free(&h);
	is_u64(span_hist__quantile(&h, 0.5), 0, "quantiles: of nothing");
}

int main(void)
{
	test_buckets();
	test_numbers();
	test_quantiles();
	return done_testing();
}

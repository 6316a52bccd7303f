// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The times of samples: sums stay whole, whatever the length of the slices. */
#include "profile/profile_times.h"

#include "tap.h"

struct sums {
	uint64_t samples, weight, outside;
};

static struct sums sum_up(const struct profile_times *t)
{
	struct sums sums = { 0 };
	size_t i;

	for (i = 0; i < t->cnt; i++) {
		sums.samples += t->values[i].samples;
		sums.weight += t->values[i].weight;
		sums.outside += t->values[i].slice < t->first || t->values[i].slice > t->last;
	}
	return sums;
}

static void test_one_slice(void)
{
	struct profile_times t = { 0 };
	int i;

	for (i = 0; i < 7; i++)
		profile_times__add(&t, 3, 1000000, 1000000, 11);
	is_u64(t.cnt, 1, "samples of one stack in one slice are one value");
	is_u64(t.values[0].samples, 7, "one slice: the samples");
	is_u64(t.values[0].weight, 77, "one slice: the weight");
	is_u64(t.values[0].slice, 1000000 >> t.shift, "one slice: the time");
	profile_times__free(&t);
}

/* Ten seconds at 997 Hz, and one sleep of all of them. */
static void test_range(void)
{
	struct profile_times t = { 0 };
	const uint64_t begin = 123456789012345, end = begin + 10000000000;
	struct sums sums;
	uint64_t i, most = 0, slices;

	for (i = 0; i < 9970; i++)
		profile_times__add(&t, (uint32_t)(i % 13), begin + i * 1003009, begin + i * 1003009,
				   1003009);
	profile_times__add(&t, 99, begin, end, end - begin);
	sums = sum_up(&t);
	slices = t.last - t.first + 1;
	is_u64(sums.samples, 9971, "ten seconds: each sample is counted once");
	is_u64(sums.weight, 9970 * 1003009ull + 10000000000, "ten seconds: the weights are whole");
	is_u64(sums.outside, 0, "ten seconds: each value is in the range");
	ok(slices <= PROFILE_TIMES_SLICES && slices > PROFILE_TIMES_SLICES / 2,
	   "ten seconds: %llu slices", (unsigned long long)slices);
	is_u64(t.last, end >> t.shift, "ten seconds: the last slice has the end of the sleep");
	for (i = 0; i < t.cnt; i++)
		if (t.values[i].stack == 99 && t.values[i].weight > most)
			most = t.values[i].weight;
	is_u64(most, 1ull << t.shift, "a sleep fills a slice with the slice's length, no more");
	profile_times__free(&t);
}

/* Sleeps of one stack, each through all slices: they are one stack's, however many. */
static void test_equal_sleeps(void)
{
	struct profile_times one = { 0 }, many = { 0 };
	const uint64_t begin = 123456789012345, ns = 3000000000;
	struct sums sums;
	int i;

	profile_times__add(&one, 1, begin, begin + ns, ns);
	for (i = 0; i < 601; i++)
		profile_times__add(&many, 1, begin, begin + ns, ns);
	sums = sum_up(&many);
	is_u64(sums.samples, 601, "sleeps of one stack: each is counted once");
	is_u64(sums.weight, 601 * ns, "sleeps of one stack: their time is whole");
	is_u64(many.shift, one.shift, "sleeps of one stack: slices are as short as of one sleep");
	ok(many.cnt <= PROFILE_TIMES_VALUES, "sleeps of one stack: %zu values", many.cnt);
	profile_times__free(&one);
	profile_times__free(&many);
}

static void test_bounds(void)
{
	struct profile_times t = { 0 };
	struct profile_time value = { .samples = 1, .weight = 3 };
	struct sums sums;
	uint64_t i;

	for (i = 0; i < 700001; i++) {
		value.stack = (uint32_t)(i * 7 % 5003);
		value.slice = i % 1021;
		profile_times__put(&t, 20, &value);
	}
	sums = sum_up(&t);
	ok(t.cnt <= PROFILE_TIMES_VALUES, "many values: %zu are kept", t.cnt);
	is_u64(sums.samples, 700001, "many values: the samples are whole");
	is_u64(sums.weight, 2100003, "many values: the weights are whole");
	value.slice = UINT64_MAX >> 20;
	profile_times__put(&t, 20, &value);
	is_u64(sum_up(&t).samples, 700002, "the longest range: the samples are whole");
	ok(t.last - t.first < PROFILE_TIMES_SLICES, "the longest range: the slices are few");
	is_s64(profile_times__add(&t, 0, 0, 0, 1), 0, "a sample without a time is accepted");
	ok(t.incomplete, "a sample without a time makes the times incomplete");
	profile_times__free(&t);
}

int main(void)
{
	test_one_slice();
	test_range();
	test_equal_sleeps();
	test_bounds();
	return done_testing();
}

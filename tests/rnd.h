/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Numbers of chance for tests, the same everywhere for one seed, which may be any: SplitMix64
 * (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
 */
#ifndef BPFPERF_TESTS_RND_H
#define BPFPERF_TESTS_RND_H

#include <stdint.h>

static uint64_t rnd_state;

static inline uint64_t rnd64(void)
{
	uint64_t z = rnd_state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Below `end`, which is not 0. */
static inline uint64_t rnd(uint64_t end)
{
	return rnd64() % end;
}

#endif

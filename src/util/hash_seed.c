// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/hash.h"

#include <sys/auxv.h>
#include <sys/random.h>
#include <time.h>

struct hash_seed hash_seed;

/* The 16 bytes that the kernel gives each program, for want of better ones. */
static void seed_without_call(void)
{
	const void *at = (const void *)getauxval(AT_RANDOM);
	struct timespec now = { 0 };
	uint64_t words[2] = { 0 }, h;

	if (at)
		memcpy(words, at, sizeof(words));
	clock_gettime(CLOCK_MONOTONIC, &now);
	h = hash__mix(words[0] ^ (uint64_t)now.tv_nsec);
	hash_seed.low = h = hash__mix(h ^ words[1]);
	hash_seed.high = h = hash__mix(h + words[0]);
	hash_seed.plus = hash__mix(h + words[1]);
}

void hash_seed__renew(void)
{
	/* A machine that has just begun has no random bytes yet: they are not waited for. */
	if (getrandom(&hash_seed, sizeof(hash_seed), GRND_NONBLOCK) != sizeof(hash_seed))
		seed_without_call();
}

/* Before any table: one may be made before main(), or in a program that uses libbpfperf. */
__attribute__((constructor)) static void hash_seed__begin(void)
{
	hash_seed__renew();
}

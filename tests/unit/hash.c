// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Keys that another user makes, all of which belong at one place where there is no seed. */
#include "cpu_ns.h"
#include "tap.h"
#include "util/hash.h"
#include "util/texts.h"

#define KEYS 65536u
#define PLACES (2 * KEYS)
#define PAIRS 16 /* of words, each of which is one of two pairs: KEYS texts */
#define TEXT_SZ (PAIRS * 16)

static uint64_t unshift(uint64_t x)
{
	return x ^ x >> 33;
}

/* The word whose hash__mix() this is. */
static uint64_t unmix(uint64_t x)
{
	return unshift(unshift(unshift(x) * 0x9cb4b2f8129337dbull) * 0x4f74430c22a54005ull);
}

/*
 * The difference of the upper bit of a word stays one of two bits after a step, whatever the hash
 * was before, and the next word takes it back.
 */
static void make_text(char *text, uint32_t nr)
{
	uint64_t pair[2];
	int i;

	for (i = 0; i < PAIRS; i++) {
		memcpy(pair, "function_of_user", sizeof(pair));
		if (nr >> i & 1) {
			pair[0] ^= 1ull << 63;
			pair[1] ^= 1ull << 63 | 1ull << 31;
		}
		memcpy(text + i * sizeof(pair), pair, sizeof(pair));
	}
}

/* Places of a table that some of the keys belong at. */
static uint32_t count_places(uint64_t (*place_of)(uint32_t nr))
{
	static uint8_t used[PLACES];
	uint32_t i, cnt = 0;

	memset(used, 0, sizeof(used));
	for (i = 0; i < KEYS; i++)
		used[place_of(i) % PLACES] = 1;
	for (i = 0; i < PLACES; i++)
		cnt += used[i];
	return cnt;
}

static uint64_t key_of(uint32_t nr)
{
	return unmix((uint64_t)nr << 32);
}

static uint64_t unseeded_key(uint32_t nr)
{
	return hash__mix(key_of(nr));
}

static uint64_t seeded_key(uint32_t nr)
{
	return hash__table_word(key_of(nr));
}

/* One step does not reach all bits: keys that differ in few, or are equally far apart. */
static uint64_t upper_bits(uint32_t nr)
{
	return hash__table_word((uint64_t)nr << 48);
}

static uint64_t spaced(uint32_t nr)
{
	return hash__table_word(nr * 4096ull);
}

static uint64_t unseeded_text(uint32_t nr)
{
	char text[TEXT_SZ];

	make_text(text, nr);
	return hash__bytes(HASH_INIT, text, sizeof(text));
}

static uint64_t seeded_text(uint32_t nr)
{
	char text[TEXT_SZ];

	make_text(text, nr);
	return hash__table_bytes(HASH_INIT, text, sizeof(text));
}

static void is_spread(uint64_t (*place_of)(uint32_t nr), const char *what)
{
	/* At random it is 1 - exp(-1/2) of the places, 51,573. */
	uint32_t cnt = count_places(place_of);

	ok(cnt > 40000, "keys of others are at many places: %s", what);
}

static void test_tables(void)
{
	struct u64map map = U64MAP_INIT;
	struct texts texts = { 0 };
	char text[TEXT_SZ];
	uint64_t begin = cpu_ns();
	uint32_t i, bad = 0;

	for (i = 0; i < KEYS; i++)
		*u64map__slot(&map, key_of(i)) = i;
	for (i = 0; i < KEYS; i++)
		bad += u64map__get(&map, key_of(i)) != i;
	is_u64(bad, 0, "keys of others: each has its value");
	for (i = 0; i < KEYS; i++) {
		make_text(text, i);
		bad += texts__add(&texts, text, sizeof(text)) != i;
	}
	is_u64(bad, 0, "texts of others: each is kept once");
	/* Without a seed 65,536 keys are compared 4,000,000,000 times. */
	ok(cpu_ns() - begin < 4000000000, "tables of keys of others: their cost is not squared");
	u64map__free(&map);
	texts__free(&texts);
}

int main(void)
{
	struct hash_seed before = hash_seed;
	uint64_t old = seeded_key(1);

	ok(before.low && before.high && before.plus, "there is a seed before main()");
	is_u64(count_places(unseeded_key), 1, "keys of others: without a seed all collide");
	is_u64(count_places(unseeded_text), 1, "texts of others: without a seed all collide");
	is_spread(seeded_key, "keys");
	is_spread(seeded_text, "texts");
	is_spread(upper_bits, "keys that differ in their upper bits");
	is_spread(spaced, "addresses of pages");
	test_tables();
	hash_seed__renew();
	ok(memcmp(&before, &hash_seed, sizeof(before)) != 0 && seeded_key(1) != old,
	   "another seed makes other hashes");
	is_spread(seeded_key, "keys, with another seed");
	is_u64(hash__bytes(HASH_INIT, "name of a file", 14), 0x5988a7aad2c4b419ull,
	       "hashes of names of files are those of each process");
	return done_testing();
}

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Hashes of words and bytes. hash__table…() are for tables in memory: other users choose names,
 * build ids and addresses, so each process has a seed of its own, without which keys that collide
 * cannot be found. The others are equal in all processes, and anyone can make theirs collide: they
 * are for names of files.
 */
#ifndef BPFPERF_UTIL_HASH_H
#define BPFPERF_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_INIT 0xcbf29ce484222325ull

struct hash_seed {
	uint64_t low, high, plus;
};

/* Set before main(), by random bytes of the kernel. */
extern struct hash_seed hash_seed;

/* Sets another seed: for a process that was forked, and has no table of its parent to look into. */
void hash_seed__renew(void);

/* The finalizer of MurmurHash3: every bit of the word reaches every bit of the result. */
static inline uint64_t hash__mix(uint64_t x)
{
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdull;
	x ^= x >> 33;
	x *= 0xc4ceb9fe1a85ec53ull;
	return x ^ x >> 33;
}

static inline uint64_t hash__word(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0xff51afd7ed558ccdull;
	return h ^ h >> 32;
}

/*
 * The upper half of seed * x in 128 bits, plus a seed: hardly any seed lets two given words collide
 * (multiply-shift; Dietzfelbinger 1996: Universal hashing and k-wise independent random variables).
 * The rest has its upper bits reach its lower ones, which choose the place in a table.
 */
static inline uint64_t hash__table_word(uint64_t x)
{
	unsigned __int128 low = (unsigned __int128)hash_seed.low * x;
	uint64_t h = (uint64_t)(low >> 64) + hash_seed.high * x + hash_seed.plus;

	h = (h ^ h >> 32) * 0xff51afd7ed558ccdull;
	return h ^ h >> 32;
}

/* Continues h with len bytes, a word a step. */
static inline uint64_t hash__by_words(uint64_t (*step)(uint64_t h, uint64_t word), uint64_t h,
				      const void *data, size_t len)
{
	const uint8_t *p = data;
	uint64_t word = len;

	for (; len >= sizeof(word); p += sizeof(word), len -= sizeof(word)) {
		h = step(h, word);
		memcpy(&word, p, sizeof(word));
	}
	h = step(h, word);
	word = 0;
	if (len)
		memcpy(&word, p, len);
	return step(h, word);
}

static inline uint64_t hash__table_step(uint64_t h, uint64_t word)
{
	return hash__table_word(h ^ word);
}

/* Continues h, HASH_INIT at first, with len bytes; two parts hash otherwise than their whole. */
static inline uint64_t hash__bytes(uint64_t h, const void *data, size_t len)
{
	return hash__by_words(hash__word, h, data, len);
}

/* Likewise, for a table. */
static inline uint64_t hash__table_bytes(uint64_t h, const void *data, size_t len)
{
	return hash__by_words(hash__table_step, h, data, len);
}

#endif

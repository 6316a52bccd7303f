/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A hash table from 64-bit keys to 32-bit indexes: open addressing, linear probing, at most 3/4
 * full. Keys may be chosen by others: which of them collide differs from process to process.
 */
#ifndef BPFPERF_UTIL_U64MAP_H
#define BPFPERF_UTIL_U64MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/hash.h"

/* The value of an empty slot; it is no index. */
#define U64MAP_NONE UINT32_MAX

struct u64map {
	uint64_t *keys;
	uint32_t *vals; /* U64MAP_NONE - 1 marks a free slot */
	size_t cap; /* power of two, 0 while empty */
	size_t used; /* slots with a key */
};

#define U64MAP_INIT                                                                                \
	{                                                                                          \
		NULL, NULL, 0, 0                                                                   \
	}

/* The value of `key`, U64MAP_NONE if it is missing. */
uint32_t u64map__get(const struct u64map *map, uint64_t key);
/*
 * The slot of `key`, created with U64MAP_NONE if it is missing; valid until the next call. NULL: no
 * memory. Writing U64MAP_NONE into it removes the key (its space is reused when the table grows).
 */
uint32_t *u64map__slot(struct u64map *map, uint64_t key);
/*
 * Sets *key and *val to those of the next key from slot *at on, which is moved behind it; 0 begins.
 * false: there is none.
 */
bool u64map__next(const struct u64map *map, size_t *at, uint64_t *key, uint32_t *val);
void u64map__free(struct u64map *map);

/* Makes a key of several words: of each and of what was made of those before. */
static inline uint64_t u64map__mix(uint64_t x)
{
	return hash__table_word(x);
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A bounded hash table from 64-bit keys to 32-bit values: what was neither written nor read for
 * long is forgotten. It is two tables of RECENT_MAX keys, of which the older is dropped when the
 * younger is full.
 */
#ifndef BPFPERF_UTIL_RECENT_MAP_H
#define BPFPERF_UTIL_RECENT_MAP_H

#include <stdint.h>

#include "util/u64map.h"

#define RECENT_MAX 8192

struct recent_map {
	struct u64map young, old;
};

#define RECENT_MAP_INIT                                                                            \
	{                                                                                          \
		U64MAP_INIT, U64MAP_INIT                                                           \
	}

/* The value of `key`, which is recent from then on; U64MAP_NONE if it is missing. */
uint32_t recent_map__get(struct recent_map *map, uint64_t key);
/* Sets the value of `key`; without memory it is missing. U64MAP_NONE removes it. */
void recent_map__set(struct recent_map *map, uint64_t key, uint32_t value);
void recent_map__free(struct recent_map *map);

#endif

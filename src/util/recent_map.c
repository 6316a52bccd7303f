// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/recent_map.h"

static void put(struct recent_map *map, uint64_t key, uint32_t value)
{
	uint32_t *slot;

	if (map->young.used >= RECENT_MAX) {
		u64map__free(&map->old);
		map->old = map->young;
		map->young = (struct u64map)U64MAP_INIT;
	}
	slot = u64map__slot(&map->young, key);
	if (slot)
		*slot = value;
}

uint32_t recent_map__get(struct recent_map *map, uint64_t key)
{
	uint32_t value = u64map__get(&map->young, key);

	if (value != U64MAP_NONE)
		return value;
	value = u64map__get(&map->old, key);
	if (value != U64MAP_NONE)
		put(map, key, value);
	return value;
}

static void take_out(struct u64map *map, uint64_t key)
{
	if (u64map__get(map, key) != U64MAP_NONE)
		*u64map__slot(map, key) = U64MAP_NONE;
}

void recent_map__set(struct recent_map *map, uint64_t key, uint32_t value)
{
	take_out(&map->old, key);
	if (value == U64MAP_NONE)
		take_out(&map->young, key);
	else
		put(map, key, value);
}

void recent_map__free(struct recent_map *map)
{
	u64map__free(&map->young);
	u64map__free(&map->old);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/u64map.h"

#include <stdlib.h>

#define SLOT_FREE (U64MAP_NONE - 1)

/* Returns the slot that has `key`, or the free one where it belongs; the table has a free slot. */
static size_t probe(const struct u64map *map, uint64_t key)
{
	size_t i = hash__table_word(key) & (map->cap - 1);

	while (map->vals[i] != SLOT_FREE && map->keys[i] != key)
		i = (i + 1) & (map->cap - 1);
	return i;
}

uint32_t u64map__get(const struct u64map *map, uint64_t key)
{
	size_t i;

	if (!map->cap)
		return U64MAP_NONE;
	i = probe(map, key);
	return map->vals[i] == SLOT_FREE ? U64MAP_NONE : map->vals[i];
}

/* Removed keys are not copied; with many of them the new table is no larger. */
static int grow(struct u64map *map)
{
	struct u64map bigger = U64MAP_INIT;
	size_t i, j, live = 0;

	for (i = 0; i < map->cap; i++)
		live += map->vals[i] < SLOT_FREE;
	for (bigger.cap = 16; live >= bigger.cap / 2; bigger.cap *= 2)
		;
	bigger.keys = malloc(bigger.cap * sizeof(*bigger.keys));
	bigger.vals = malloc(bigger.cap * sizeof(*bigger.vals));
	if (!bigger.keys || !bigger.vals) {
		u64map__free(&bigger);
		return -1;
	}
	for (i = 0; i < bigger.cap; i++)
		bigger.vals[i] = SLOT_FREE;
	for (i = 0; i < map->cap; i++) {
		if (map->vals[i] >= SLOT_FREE)
			continue;
		j = probe(&bigger, map->keys[i]);
		bigger.keys[j] = map->keys[i];
		bigger.vals[j] = map->vals[i];
		bigger.used++;
	}
	u64map__free(map);
	*map = bigger;
	return 0;
}

uint32_t *u64map__slot(struct u64map *map, uint64_t key)
{
	size_t i;

	if (map->used >= map->cap - map->cap / 4 && grow(map))
		return NULL;
	i = probe(map, key);
	if (map->vals[i] == SLOT_FREE) {
		map->keys[i] = key;
		map->vals[i] = U64MAP_NONE;
		map->used++;
	}
	return &map->vals[i];
}

void u64map__free(struct u64map *map)
{
	free(map->keys);
	free(map->vals);
	*map = (struct u64map)U64MAP_INIT;
}

bool u64map__next(const struct u64map *map, size_t *at, uint64_t *key, uint32_t *val)
{
	for (; *at < map->cap; ++*at) {
		if (map->vals[*at] >= SLOT_FREE)
			continue;
		*key = map->keys[*at];
		*val = map->vals[(*at)++];
		return true;
	}
	return false;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/later_maps.h"

#include <stdlib.h>
#include <string.h>

#include "sym/sym.h"

#define FIRST_SZ 1024

/* A struct sym_map, then its path and a 0, up to the next multiple of 8 bytes. */
static size_t size_of(size_t path_len)
{
	return (sizeof(struct sym_map) + path_len + 1 + 7) & ~(size_t)7;
}

static bool make_room(struct later_maps *later, size_t sz)
{
	uint32_t cap = later->cap ? later->cap : FIRST_SZ;
	uint8_t *bigger;

	if (sz > LATER_MAPS_MAX_SZ - later->sz)
		return false;
	while (cap < later->sz + sz)
		cap *= 2;
	if (cap == later->cap)
		return true;
	bigger = realloc(later->buf, cap);
	if (!bigger)
		return false;
	later->buf = bigger;
	later->cap = cap;
	return true;
}

bool later_maps__add(struct later_maps *later, const struct sym_map *map)
{
	size_t len = strlen(map->path), sz = size_of(len);
	struct sym_map *copy;

	if (!make_room(later, sz))
		return false;
	copy = (struct sym_map *)(later->buf + later->sz);
	*copy = *map;
	copy->build_id = NULL;
	memcpy(copy + 1, map->path, len + 1);
	later->sz += (uint32_t)sz;
	return true;
}

bool later_maps__next(const struct later_maps *later, uint32_t *at, struct sym_map *map)
{
	const struct sym_map *copy;

	if (*at >= later->sz)
		return false;
	copy = (const struct sym_map *)(later->buf + *at);
	*map = *copy;
	map->path = (const char *)(copy + 1);
	*at += (uint32_t)size_of(strlen(map->path));
	return true;
}

void later_maps__empty(struct later_maps *later)
{
	/* Else each of many processes would have what the largest one in its place needed. */
	if (later->cap > FIRST_SZ)
		later_maps__free(later);
	later->sz = 0;
}

void later_maps__free(struct later_maps *later)
{
	free(later->buf);
	*later = (struct later_maps){ 0 };
}

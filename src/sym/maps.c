// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/maps.h"
#include "util/partition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct maps *maps__new(void)
{
	struct maps *maps = calloc(1, sizeof(*maps));

	if (maps)
		maps->refs = 1;
	return maps;
}

struct maps *maps__get(struct maps *maps)
{
	if (maps)
		maps->refs++;
	return maps;
}

void maps__put(struct maps *maps)
{
	if (!maps || --maps->refs)
		return;
	free(maps->maps);
	free(maps);
}

/* First mapping that ends after addr. */
static size_t first_behind(const struct maps *maps, uint64_t addr)
{
	return partition_point(0, maps->cnt, i, maps->maps[i].end <= addr);
}

/* Makes an unshared copy with room for two more. */
static int make_writable(struct maps **maps)
{
	struct maps *old = *maps, *own = old;
	size_t cap = old->cnt + 2;
	struct map *bigger;

	if (old->refs > 1) {
		own = maps__new();
		if (!own)
			return -ENOMEM;
	}
	if (own->cap < cap) {
		if (own->cap)
			cap += cap / 2;
		bigger = realloc(own->maps, cap * sizeof(*bigger));
		if (!bigger) {
			if (own != old)
				maps__put(own);
			return -ENOMEM;
		}
		own->maps = bigger;
		own->cap = cap;
	}
	if (own != old) {
		if (old->cnt)
			memcpy(own->maps, old->maps, old->cnt * sizeof(*own->maps));
		own->cnt = old->cnt;
		maps__put(old);
		*maps = own;
	}
	return 0;
}

int maps__insert(struct maps **mapsp, const struct map *map, size_t max)
{
	struct map put[3], *m;
	size_t lo, hi, cnt = 0;
	struct maps *maps;

	if (map->start >= map->end)
		return 0;
	if (make_writable(mapsp))
		return -ENOMEM;
	maps = *mapsp;
	lo = first_behind(maps, map->start);
	for (hi = lo; hi < maps->cnt && maps->maps[hi].start < map->end; hi++)
		;
	/* Keep the parts of replaced mappings that lie outside of the new one. */
	m = maps->maps + lo;
	if (lo < hi && m->start < map->start) {
		put[cnt] = *m;
		put[cnt++].end = map->start;
	}
	put[cnt++] = *map;
	m = maps->maps + (lo < hi ? hi - 1 : lo);
	if (lo < hi && m->end > map->end) {
		put[cnt] = *m;
		put[cnt].pgoff += map->end - m->start;
		put[cnt++].start = map->end;
	}
	/* One in the middle of another makes three of one. */
	if (maps->cnt + cnt - (hi - lo) > max)
		return -ENOSPC;
	memmove(&maps->maps[lo + cnt], &maps->maps[hi], (maps->cnt - hi) * sizeof(*put));
	memcpy(&maps->maps[lo], put, cnt * sizeof(*put));
	maps->cnt += cnt - (hi - lo);
	return 0;
}

const struct map *maps__find(const struct maps *maps, uint64_t addr)
{
	size_t i = first_behind(maps, addr);

	return i < maps->cnt && maps->maps[i].start <= addr ? &maps->maps[i] : NULL;
}

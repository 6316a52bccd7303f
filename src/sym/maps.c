// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/partition.h"

/* An insert moves the mappings of a chunk, or the pointers to chunks. */
#define CHUNK_MAX 256u

struct maps_chunk {
	uint32_t refs; /* sets that have it */
	uint32_t cnt, cap;
	struct map maps[];
};

/* The mappings that another one replaces: from `at` of chunk `from` to before `end` of `to`. */
struct span {
	size_t from, to;
	uint32_t at, end;
	size_t cnt;
	const struct map *first, *last; /* NULL: it replaces none */
};

static struct maps_chunk *new_chunk(uint32_t cap)
{
	struct maps_chunk *c = malloc(sizeof(*c) + cap * sizeof(c->maps[0]));

	if (c)
		*c = (struct maps_chunk){ .refs = 1, .cap = cap };
	return c;
}

static void put_chunk(struct maps_chunk *c)
{
	if (!--c->refs)
		free(c);
}

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
	size_t i;

	if (!maps || --maps->refs)
		return;
	for (i = 0; i < maps->chunk_cnt; i++)
		put_chunk(maps->chunks[i]);
	free(maps->chunks);
	free(maps);
}

/* The set itself if it is not shared, or a copy that shares its chunks. NULL: no memory. */
static struct maps *unshare(struct maps *old)
{
	struct maps *own;
	size_t i;

	if (old->refs == 1)
		return old;
	own = maps__new();
	if (!own || array__reserve((void **)&own->chunks, &own->chunk_cap, old->chunk_cnt,
				   sizeof(*own->chunks))) {
		free(own);
		return NULL;
	}
	for (i = 0; i < old->chunk_cnt; i++) {
		own->chunks[i] = old->chunks[i];
		own->chunks[i]->refs++;
	}
	own->chunk_cnt = old->chunk_cnt;
	own->cnt = old->cnt;
	old->refs--;
	return own;
}

/* First chunk with a mapping that ends after addr. */
static size_t first_chunk(const struct maps *maps, uint64_t addr)
{
	return partition_point(0, maps->chunk_cnt, i,
			       maps->chunks[i]->maps[maps->chunks[i]->cnt - 1].end <= addr);
}

/* First mapping of a chunk that ends after addr. */
static uint32_t first_behind(const struct maps_chunk *c, uint64_t addr)
{
	return (uint32_t)partition_point(0, c->cnt, i, c->maps[i].end <= addr);
}

/* Finds the mappings that `map` overlaps, or its place. There is a chunk. */
static struct span find_span(const struct maps *maps, const struct map *map)
{
	struct span s = { .from = first_chunk(maps, map->start) };
	const struct map *m;
	struct maps_iter next;

	/* Behind all others: at the end of the last chunk. */
	if (s.from == maps->chunk_cnt)
		s.from--;
	s.at = first_behind(maps->chunks[s.from], map->start);
	s.to = s.from;
	s.end = s.at;
	next = (struct maps_iter){ s.from, s.at };
	while ((m = maps__next(maps, &next)) && m->start < map->end) {
		s.first = s.first ? s.first : m;
		s.last = m;
		s.cnt++;
		s.to = next.chunk;
		s.end = next.at;
	}
	return s;
}

/* Replaces the mappings of one chunk. */
static void replace_within(struct maps_chunk *c, const struct span *s, const struct map *put,
			   uint32_t cnt)
{
	memmove(&c->maps[s->at + cnt], &c->maps[s->end], (c->cnt - s->end) * sizeof(*put));
	memcpy(&c->maps[s->at], put, cnt * sizeof(*put));
	c->cnt += cnt - (s->end - s->at);
}

/* Appends mappings to chunks of which each has its share. */
static void deal(struct maps_chunk **chunks, size_t *at, uint32_t share, const struct map *from,
		 uint32_t cnt)
{
	while (cnt--) {
		if (chunks[*at]->cnt == share)
			++*at;
		chunks[*at]->maps[chunks[*at]->cnt++] = *from++;
	}
}

/* Replaces the chunks of a span by new ones. 0 or -ENOMEM. */
static int replace_chunks(struct maps *maps, const struct span *s, const struct map *put,
			  uint32_t cnt)
{
	const struct maps_chunk *head = maps->chunks[s->from], *tail = maps->chunks[s->to];
	uint32_t left = s->at + cnt + (tail->cnt - s->end), room, share;
	size_t parts = (left + CHUNK_MAX - 1) / CHUNK_MAX, old = s->to - s->from + 1, i, at = 0;
	struct maps_chunk *fresh[3];

	share = (uint32_t)((left + parts - 1) / parts);
	room = share + share / 2 + 2 < CHUNK_MAX ? share + share / 2 + 2 : CHUNK_MAX;
	if (array__reserve((void **)&maps->chunks, &maps->chunk_cap, maps->chunk_cnt + parts,
			   sizeof(*maps->chunks)))
		return -ENOMEM;
	for (i = 0; i < parts; i++) {
		fresh[i] = new_chunk(room);
		if (fresh[i])
			continue;
		while (i--)
			free(fresh[i]);
		return -ENOMEM;
	}
	deal(fresh, &at, share, head->maps, s->at);
	deal(fresh, &at, share, put, cnt);
	deal(fresh, &at, share, tail->maps + s->end, tail->cnt - s->end);
	for (i = s->from; i <= s->to; i++)
		put_chunk(maps->chunks[i]);
	memmove(&maps->chunks[s->from + parts], &maps->chunks[s->to + 1],
		(maps->chunk_cnt - s->to - 1) * sizeof(*maps->chunks));
	memcpy(&maps->chunks[s->from], fresh, parts * sizeof(*fresh));
	maps->chunk_cnt += parts - old;
	return 0;
}

/* The first mapping of a set. */
static int insert_first(struct maps *maps, const struct map *map)
{
	struct maps_chunk *c;

	if (array__reserve((void **)&maps->chunks, &maps->chunk_cap, 1, sizeof(*maps->chunks)))
		return -ENOMEM;
	c = new_chunk(4);
	if (!c)
		return -ENOMEM;
	c->maps[c->cnt++] = *map;
	maps->chunks[maps->chunk_cnt++] = c;
	maps->cnt++;
	return 0;
}

int maps__insert(struct maps **mapsp, const struct map *map, size_t max)
{
	struct map put[3];
	struct maps_chunk *c;
	uint32_t cnt = 0;
	struct maps *maps;
	struct span s;

	if (map->start >= map->end)
		return 0;
	maps = unshare(*mapsp);
	if (!maps)
		return -ENOMEM;
	*mapsp = maps;
	if (!maps->cnt)
		return insert_first(maps, map);
	s = find_span(maps, map);
	/* Keep the parts of replaced mappings that lie outside of the new one. */
	if (s.first && s.first->start < map->start) {
		put[cnt] = *s.first;
		put[cnt++].end = map->start;
	}
	put[cnt++] = *map;
	if (s.last && s.last->end > map->end) {
		put[cnt] = *s.last;
		put[cnt].pgoff += map->end - s.last->start;
		put[cnt++].start = map->end;
	}
	/* One in the middle of another makes three of one. */
	if (maps->cnt + cnt - s.cnt > max)
		return -ENOSPC;
	c = maps->chunks[s.from];
	if (s.from == s.to && c->refs == 1 && c->cnt + cnt - s.cnt <= c->cap)
		replace_within(c, &s, put, cnt);
	else if (replace_chunks(maps, &s, put, cnt))
		return -ENOMEM;
	maps->cnt += cnt - s.cnt;
	return 0;
}

const struct map *maps__find(const struct maps *maps, uint64_t addr)
{
	size_t chunk = first_chunk(maps, addr);
	const struct map *m;

	if (chunk == maps->chunk_cnt)
		return NULL;
	m = &maps->chunks[chunk]->maps[first_behind(maps->chunks[chunk], addr)];
	return m->start <= addr ? m : NULL;
}

const struct map *maps__next(const struct maps *maps, struct maps_iter *iter)
{
	if (maps && iter->chunk < maps->chunk_cnt && iter->at == maps->chunks[iter->chunk]->cnt) {
		iter->chunk++;
		iter->at = 0;
	}
	return maps && iter->chunk < maps->chunk_cnt ? &maps->chunks[iter->chunk]->maps[iter->at++]
						     : NULL;
}

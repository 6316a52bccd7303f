// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The mappings of code of each process, from each time on. */
#include <errno.h>
#include <stdbool.h>

#include "data/recording.h"
#include "itrace/collect.h"
#include "itrace/collect_priv.h"
#include "util/array.h"
#include "util/log.h"
#include "util/partition.h"

/* Mappings of all processes: a recording that has more was made to take memory and time. */
#define MAPS_MAX 8388608

/*
 * Mappings are inserted among so many, which are added to the others of the process when there are
 * more: a list of 65,536, each before those of before, would be moved for minutes.
 */
#define LATE_MAX 256

/* How many are looked at for a fork at the cost of one that is kept. */
#define LOOK_SHARE 64

/* A process begins with these. */
static const struct collect_space no_maps;

/* Merges a list into an array, from the highest on: only what is above a new one moves. */
static int merge(struct collect_map **maps, size_t *maps_cnt, size_t *cap,
		 const struct collect_map *list, size_t cnt)
{
	size_t i = *maps_cnt, to = i + cnt;
	struct collect_map *m;

	if (array__reserve((void **)maps, cap, to, sizeof(*m)))
		return -ENOMEM;
	m = *maps;
	*maps_cnt = to;
	while (cnt)
		m[--to] = i && m[i - 1].addr > list[cnt - 1].addr ? m[--i] : list[--cnt];
	return 0;
}

static int settle(struct collect_space *s)
{
	if (s->late_cnt && merge(&s->maps, &s->cnt, &s->cap, s->late, s->late_cnt))
		return -ENOMEM;
	free(s->late);
	s->late = NULL;
	s->late_cnt = s->late_cap = 0;
	return 0;
}

int collect__settle(struct collect *c)
{
	int err = 0;
	size_t i;

	for (i = 0; i < c->space_cnt && !err; i++)
		err = settle(&c->spaces[i]);
	return err;
}

/* A new space of a process from now on, which becomes its newest. */
static struct collect_space *new_space(struct collect *c, int32_t pid)
{
	struct collect_space *s;
	uint32_t *slot = u64map__slot(&c->space_of, (uint32_t)pid);

	if (!slot || (*slot < c->space_cnt && settle(&c->spaces[*slot])) ||
	    array__reserve((void **)&c->spaces, &c->space_cap, c->space_cnt + 1, sizeof(*s)))
		return NULL;
	*slot = (uint32_t)c->space_cnt;
	s = &c->spaces[c->space_cnt++];
	*s = (struct collect_space){ .pid = pid, .from_ns = c->now_ns };
	return s;
}

/* Counts mappings that are kept, or kept anew. 0, or -E2BIG, logged. */
static int count_maps(struct collect *c, size_t cnt)
{
	c->map_cnt += cnt;
	/* Each that replaces another one copies all of its process. */
	if (c->map_cnt <= MAPS_MAX)
		return 0;
	log_error("%s maps code more than %d times, counted anew whenever a process forks "
		  "or replaces a mapping; record a shorter time, or fewer processes",
		  c->rec->path, MAPS_MAX);
	return -E2BIG;
}

static int add_map(struct collect *c, struct collect_space *s, const struct collect_map *map)
{
	int err = count_maps(c, 1);

	if (err)
		return err;
	if (array__reserve((void **)&s->maps, &s->cap, s->cnt + 1, sizeof(*s->maps)))
		return -ENOMEM;
	s->maps[s->cnt++] = *map;
	return 0;
}

static uint64_t end_of(const struct collect_map *map)
{
	return map->addr + map->len;
}

/* Adds the part of a mapping between these addresses, if it has any. */
static int add_part(struct collect *c, struct collect_space *s, const struct collect_map *map,
		    uint64_t from, uint64_t to)
{
	struct collect_map part = *map;

	if (from < map->addr)
		from = map->addr;
	if (to > end_of(map))
		to = end_of(map);
	if (from >= to)
		return 0;
	part.addr = from;
	part.len = to - from;
	part.pgoff += from - map->addr;
	return add_map(c, s, &part);
}

/* Copies mappings to a new space, with those of a list in the place of what they overlap. */
static int replace_maps(struct collect *c, const struct collect_space *from,
			struct collect_space *to, const struct collect_map *list, size_t cnt)
{
	uint64_t covered = 0; /* the end of the list's mappings that were added */
	size_t i, k = 0;
	int err = 0;

	to->dump = from->dump;
	for (i = 0; i < from->cnt && !err; i++) {
		const struct collect_map *m = &from->maps[i];

		for (; k < cnt && list[k].addr < end_of(m) && !err; k++) {
			err = add_part(c, to, m, covered, list[k].addr);
			if (!err)
				err = add_map(c, to, &list[k]);
			covered = end_of(&list[k]);
		}
		if (m->is_jit && covered > m->addr)
			to->dump = 0;
		if (!err)
			err = add_part(c, to, m, covered, UINT64_MAX);
	}
	for (; k < cnt && !err; k++)
		err = add_map(c, to, &list[k]);
	return err;
}

/* Does any of these end behind the mapping's begin, and begin before its end? */
static bool is_in(const struct collect_map *maps, size_t cnt, const struct collect_map *map)
{
	size_t at = partition_point(0, cnt, i, end_of(&maps[i]) <= map->addr);

	return at < cnt && maps[at].addr < end_of(map);
}

static bool overlaps(const struct collect_space *s, const struct collect_map *list, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		if (is_in(s->maps, s->cnt, &list[i]) || is_in(s->late, s->late_cnt, &list[i]))
			return true;
	return false;
}

/* Adds mappings that overlap none. */
static int insert_maps(struct collect *c, struct collect_space *s, const struct collect_map *list,
		       size_t cnt)
{
	int err = count_maps(c, cnt);

	if (!err && s->late_cnt + cnt > LATE_MAX)
		err = settle(s);
	if (err)
		return err;
	if (cnt > LATE_MAX || !s->cnt || s->maps[s->cnt - 1].addr < list[0].addr)
		return merge(&s->maps, &s->cnt, &s->cap, list, cnt);
	return merge(&s->late, &s->late_cnt, &s->late_cap, list, cnt);
}

static struct collect_space *newest_of(const struct collect *c, int32_t pid)
{
	uint32_t idx = u64map__get(&c->space_of, (uint32_t)pid);

	return idx < c->space_cnt ? &c->spaces[idx] : NULL;
}

int collect__map(struct collect *c, int32_t pid, const struct collect_map *list, size_t cnt)
{
	struct collect_space *s = newest_of(c, pid);
	size_t has = s ? s->cnt + s->late_cnt : 0, before;
	/* Replacing may have split some. */
	size_t room = has < COLLECT_SPACE_MAPS_MAX ? COLLECT_SPACE_MAPS_MAX - has : 0;

	if (cnt > room) {
		c->maps_over_max += cnt - room;
		cnt = room;
	}
	if (!cnt)
		return 0;
	if (s && !overlaps(s, list, cnt))
		return insert_maps(c, s, list, cnt);
	before = s ? (size_t)(s - c->spaces) : 0;
	if (!new_space(c, pid))
		return -ENOMEM;
	/* The array may have moved. */
	return replace_maps(c, s ? &c->spaces[before] : &no_maps, &c->spaces[c->space_cnt - 1],
			    list, cnt);
}

bool collect__has_dump(const struct collect *c, int32_t pid, uint32_t image)
{
	const struct collect_space *s = newest_of(c, pid);

	return s && s->dump == image + 1;
}

int collect__map_dump(struct collect *c, int32_t pid, const struct collect_map *list, size_t cnt,
		      uint32_t image)
{
	int err = collect__map(c, pid, list, cnt);
	struct collect_space *s = newest_of(c, pid);

	if (!err && s)
		s->dump = image + 1;
	return err;
}

int collect__fork(struct collect *c, int32_t pid, int32_t parent)
{
	const struct collect_space *from = newest_of(c, parent);
	size_t before = from ? (size_t)(from - c->spaces) : 0, i;
	struct collect_space *s;
	int err = 0;

	if (!from)
		return 0;
	if (settle(&c->spaces[before]))
		return -ENOMEM;
	err = count_maps(c, from->cnt / LOOK_SHARE);
	if (err)
		return err;
	s = new_space(c, pid);
	if (!s)
		return -ENOMEM;
	from = &c->spaces[before];
	/* Most children run another program next, and there are many functions. */
	for (i = 0; i < from->cnt && !err; i++)
		err = from->maps[i].is_jit ? 0 : add_map(c, s, &from->maps[i]);
	return err;
}

int collect__exec(struct collect *c, int32_t pid)
{
	return new_space(c, pid) ? 0 : -ENOMEM;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The mappings of code of each process, from each time on. */
#include <errno.h>
#include <stdbool.h>

#include "data/recording.h"
#include "itrace/collect.h"
#include "itrace/collect_priv.h"
#include "util/array.h"
#include "util/log.h"

/* Mappings of all processes: a recording that has more was made to take memory and time. */
#define MAPS_MAX 8388608

/* A new space of a process from now on, which becomes its newest. */
static struct collect_space *new_space(struct collect *c, int32_t pid)
{
	struct collect_space *s;
	uint32_t *slot = u64map__slot(&c->space_of, (uint32_t)pid);

	if (!slot ||
	    array__reserve((void **)&c->spaces, &c->space_cap, c->space_cnt + 1, sizeof(*s)))
		return NULL;
	*slot = (uint32_t)c->space_cnt;
	s = &c->spaces[c->space_cnt++];
	*s = (struct collect_space){ .pid = pid, .from_ns = c->now_ns };
	return s;
}

static int add_map(struct collect *c, struct collect_space *s, const struct collect_map *map)
{
	/* Each that replaces another one copies all of its process. */
	if (++c->map_cnt > MAPS_MAX) {
		log_error("%s maps code more than %d times, counted anew whenever a process forks "
			  "or replaces a mapping; record a shorter time, or fewer processes",
			  c->rec->path, MAPS_MAX);
		return -E2BIG;
	}
	if (array__reserve((void **)&s->maps, &s->cap, s->cnt + 1, sizeof(*s->maps)))
		return -ENOMEM;
	s->maps[s->cnt++] = *map;
	return 0;
}

/* Copies mappings without the range that `map` replaces. */
static int copy_maps(struct collect *c, uint32_t from, struct collect_space *to,
		     const struct collect_map *map)
{
	uint64_t end = map ? map->addr + map->len : 0;
	size_t i;
	int err = 0;

	for (i = 0; i < c->spaces[from].cnt && !err; i++) {
		struct collect_map m = c->spaces[from].maps[i], rest = m;

		/* Most children run another program next, and there are many functions. */
		if (!map && m.is_jit)
			continue;
		if (!map || m.addr + m.len <= map->addr || m.addr >= end) {
			err = add_map(c, to, &m);
			continue;
		}
		if (m.addr < map->addr) {
			m.len = map->addr - m.addr;
			err = add_map(c, to, &m);
		}
		if (!err && rest.addr + rest.len > end) {
			rest.pgoff += end - rest.addr;
			rest.len -= end - rest.addr;
			rest.addr = end;
			err = add_map(c, to, &rest);
		}
	}
	return err;
}

static bool overlaps(const struct collect_space *s, const struct collect_map *map)
{
	size_t i;

	for (i = 0; i < s->cnt; i++)
		if (s->maps[i].addr < map->addr + map->len &&
		    map->addr < s->maps[i].addr + s->maps[i].len)
			return true;
	return false;
}

int collect__map(struct collect *c, int32_t pid, const struct collect_map *map)
{
	uint32_t idx = u64map__get(&c->space_of, (uint32_t)pid);
	struct collect_space *s = idx < c->space_cnt ? &c->spaces[idx] : NULL;
	int err = 0;

	if (s && s->cnt >= COLLECT_SPACE_MAPS_MAX) {
		c->maps_over_max++;
		return 0;
	}
	if (!s || overlaps(s, map)) {
		s = new_space(c, pid);
		if (!s)
			return -ENOMEM;
		err = idx < c->space_cnt - 1 ? copy_maps(c, idx, s, map) : 0;
	}
	return err ? err : add_map(c, s, map);
}

int collect__fork(struct collect *c, int32_t pid, int32_t parent)
{
	uint32_t idx = u64map__get(&c->space_of, (uint32_t)parent);
	struct collect_space *s;

	if (idx >= c->space_cnt)
		return 0;
	s = new_space(c, pid);
	return s ? copy_maps(c, idx, s, NULL) : -ENOMEM;
}

int collect__exec(struct collect *c, int32_t pid)
{
	return new_space(c, pid) ? 0 : -ENOMEM;
}

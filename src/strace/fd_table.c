// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "strace/fd_table.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

/* An entry with a name takes about 200 bytes. */
#define SWEEP_MIN 16384

static uint64_t key_of(pid_t tgid, int fd)
{
	return (uint64_t)(uint32_t)tgid << 32 | (uint32_t)fd;
}

void fd_name__forget(struct fd_name *e)
{
	free(e->name);
	free(e->file);
	*e = (struct fd_name){};
}

void fd_table__free(struct fd_table *t)
{
	size_t i;

	for (i = 0; i < t->cnt; i++)
		fd_name__forget(&t->names[i]);
	free(t->names);
	free(t->unused);
	u64map__free(&t->by_fd);
	u64map__free(&t->parents);
	u64map__free(&t->gone);
	*t = (struct fd_table){};
}

struct fd_name *fd_table__find(const struct fd_table *t, pid_t tgid, int fd)
{
	uint32_t i = u64map__get(&t->by_fd, key_of(tgid, fd));

	return i == U64MAP_NONE ? NULL : &t->names[i];
}

static int reserve(struct fd_table *t)
{
	size_t cap = t->cap ? 2 * t->cap : 64;
	void *names, *unused;

	if (t->cnt < t->cap || t->unused_cnt)
		return 0;
	names = realloc(t->names, cap * sizeof(*t->names));
	if (names)
		t->names = names;
	unused = realloc(t->unused, cap * sizeof(*t->unused));
	if (unused)
		t->unused = unused;
	if (!names || !unused)
		return -ENOMEM;
	t->cap = cap;
	return 0;
}

struct fd_name *fd_table__entry(struct fd_table *t, pid_t tgid, int fd)
{
	uint32_t *slot = reserve(t) ? NULL : u64map__slot(&t->by_fd, key_of(tgid, fd));

	if (!slot)
		return NULL;
	if (*slot == U64MAP_NONE) {
		*slot = t->unused_cnt ? t->unused[--t->unused_cnt] : (uint32_t)t->cnt++;
		t->names[*slot] = (struct fd_name){};
	}
	return &t->names[*slot];
}

/* Has the process ended? It is asked once. Without memory it is taken for one that has not. */
static bool has_ended(struct u64map *asked, uint32_t tgid)
{
	uint32_t *slot = u64map__slot(asked, tgid);

	if (slot && *slot == U64MAP_NONE)
		*slot = kill((pid_t)tgid, 0) && errno == ESRCH;
	return slot && *slot;
}

/* Collects keys of processes that had ended by the sweep before. Returns their number. */
static size_t find_gone(const struct fd_table *t, const struct u64map *map, unsigned int pid_bit,
			struct u64map *asked, uint64_t *keys)
{
	size_t at = 0, cnt = 0;
	uint64_t key;
	uint32_t val;

	while (u64map__next(map, &at, &key, &val)) {
		uint32_t tgid = (uint32_t)(key >> pid_bit);

		if (has_ended(asked, tgid) && u64map__get(&t->gone, tgid) == 1)
			keys[cnt++] = key;
	}
	return cnt;
}

static void drop_entry(struct fd_table *t, uint64_t key)
{
	uint32_t *slot = u64map__slot(&t->by_fd, key);

	if (!slot || *slot == U64MAP_NONE)
		return;
	fd_name__forget(&t->names[*slot]);
	t->unused[t->unused_cnt++] = *slot;
	*slot = U64MAP_NONE;
}

static void drop_parent(struct fd_table *t, uint64_t key)
{
	uint32_t *slot = u64map__slot(&t->parents, key);

	if (slot)
		*slot = U64MAP_NONE;
}

void fd_table__sweep(struct fd_table *t)
{
	struct u64map asked = U64MAP_INIT;
	uint64_t *keys;
	size_t cnt, i;

	if (t->cnt - t->unused_cnt < t->sweep_at || t->cnt < SWEEP_MIN)
		return;
	keys = malloc((t->by_fd.used + t->parents.used) * sizeof(*keys));
	if (!keys)
		return;
	cnt = find_gone(t, &t->by_fd, 32, &asked, keys);
	for (i = 0; i < cnt; i++)
		drop_entry(t, keys[i]);
	cnt = find_gone(t, &t->parents, 0, &asked, keys);
	for (i = 0; i < cnt; i++)
		drop_parent(t, keys[i]);
	free(keys);
	u64map__free(&t->gone);
	t->gone = asked;
	t->sweep_at = t->cnt - t->unused_cnt + SWEEP_MIN;
}

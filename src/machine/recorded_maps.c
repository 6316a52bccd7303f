// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "machine/recorded_maps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "machine/proc_event.h"
#include "sym/maps.h"
#include "util/array.h"
#include "util/strbuf.h"

enum change {
	CHANGE_MAP, /* something was mapped */
	CHANGE_FORK, /* a process began with the mappings of its parent */
	CHANGE_EXEC, /* a process began anew */
};

struct recorded_map_event {
	uint64_t time_ns;
	size_t seq; /* its place in the file */
	enum change change;
	int32_t pid, parent_pid;
	uint64_t start, end, pgoff, ino;
	uint32_t prot, flags, path;
};

void recorded_maps__free(struct recorded_maps *m)
{
	size_t i;

	for (i = 0; i < m->maps_cnt; i++)
		maps__put(m->maps[i]);
	free(m->maps);
	free(m->events);
	u64map__free(&m->by_pid);
	texts__free(&m->texts);
}

int recorded_maps__take(struct recorded_maps *m, const struct perf_event_header *hdr,
			const struct proc_event *ev, uint64_t time_ns)
{
	struct recorded_map_event *e;
	enum change change;

	switch (ev->kind) {
	case PROC_MMAP:
	case PROC_MMAP_DATA:
		if (ev->is_kernel || ev->addr + ev->len < ev->addr)
			return 0;
		change = CHANGE_MAP;
		break;
	case PROC_FORK:
		change = CHANGE_FORK;
		break;
	case PROC_EXEC:
		change = CHANGE_EXEC;
		break;
	default:
		return 0;
	}
	if (array__reserve((void **)&m->events, &m->cap, m->cnt + 1, sizeof(*m->events)))
		return -ENOMEM;
	e = &m->events[m->cnt];
	*e = (struct recorded_map_event){ .time_ns = time_ns,
					  .seq = m->cnt,
					  .change = change,
					  .pid = ev->pid,
					  .parent_pid = ev->parent_pid };
	if (change == CHANGE_MAP) {
		e->start = ev->addr;
		e->end = ev->addr + ev->len;
		e->pgoff = ev->pgoff;
		e->ino = ev->ino;
		/* A record of the old type says only whether it is code. */
		e->prot = hdr->type != PERF_RECORD_MMAP ? ev->prot
			  : ev->kind == PROC_MMAP       ? PROT_EXEC
							: 0;
		e->flags = ev->flags;
		e->path = texts__add_escaped(&m->texts, ev->path, strlen(ev->path));
		if (e->path == TEXTS_NONE)
			return -ENOMEM;
	}
	m->cnt++;
	return 0;
}

/* Returns the mappings of a process, which has none at first; NULL: no memory. */
static struct maps **maps_of(struct recorded_maps *m, int32_t pid)
{
	uint32_t *slot = u64map__slot(&m->by_pid, (uint32_t)pid);

	if (!slot)
		return NULL;
	if (*slot != U64MAP_NONE)
		return &m->maps[*slot];
	if (array__reserve((void **)&m->maps, &m->maps_cap, m->maps_cnt + 1, sizeof(*m->maps)))
		return NULL;
	*slot = (uint32_t)m->maps_cnt;
	m->maps[m->maps_cnt] = NULL;
	return &m->maps[m->maps_cnt++];
}

static int apply_fork(struct recorded_maps *m, const struct recorded_map_event *e)
{
	struct maps **parent, **child = maps_of(m, e->pid), *inherited;

	/* The second look-up may move the first's place. */
	parent = child ? maps_of(m, e->parent_pid) : NULL;
	child = parent ? maps_of(m, e->pid) : NULL;
	if (!child)
		return -ENOMEM;
	if (parent == child || !*parent)
		return 0;
	inherited = maps__get(*parent);
	maps__put(*child);
	*child = inherited;
	return 0;
}

static int apply(struct recorded_maps *m, const struct recorded_map_event *e)
{
	struct map map = { .start = e->start,
			   .end = e->end,
			   .pgoff = e->pgoff,
			   .dso = (uint32_t)(e - m->events) };
	struct maps **maps;
	int err;

	if (e->change == CHANGE_FORK)
		return apply_fork(m, e);
	maps = maps_of(m, e->pid);
	if (!maps)
		return -ENOMEM;
	if (e->change == CHANGE_EXEC) {
		maps__put(*maps);
		*maps = NULL;
		return 0;
	}
	if (!*maps)
		*maps = maps__new();
	if (!*maps)
		return -ENOMEM;
	err = maps__insert(maps, &map, MAPS_RECORDED_MAX);
	return err == -ENOSPC ? 0 : err;
}

static int cmp_events(const void *pa, const void *pb)
{
	const struct recorded_map_event *a = pa, *b = pb;

	if (a->time_ns != b->time_ns)
		return a->time_ns > b->time_ns ? 1 : -1;
	return (a->seq > b->seq) - (a->seq < b->seq);
}

int recorded_maps__build(struct recorded_maps *m)
{
	size_t i;
	int err = 0;

	if (m->cnt)
		qsort(m->events, m->cnt, sizeof(*m->events), cmp_events);
	for (i = 0; i < m->cnt && !err; i++)
		err = apply(m, &m->events[i]);
	return err;
}

void recorded_maps__put(const struct recorded_maps *m, int32_t pid, size_t indent,
			struct strbuf *out)
{
	uint32_t idx = u64map__get(&m->by_pid, (uint32_t)pid);
	const struct maps *maps = idx == U64MAP_NONE ? NULL : m->maps[idx];
	struct maps_iter iter = { 0 };
	const struct map *map;

	while ((map = maps__next(maps, &iter))) {
		const struct recorded_map_event *e = &m->events[map->dso];

		strbuf__printf(
			out, "%*s  %" PRIx64 "-%" PRIx64 " %c%c%c%c %08" PRIx64 " %" PRIu64 " %s\n",
			(int)indent, "", map->start, map->end, e->prot & PROT_READ ? 'r' : '-',
			e->prot & PROT_WRITE ? 'w' : '-', e->prot & PROT_EXEC ? 'x' : '-',
			e->flags & MAP_SHARED ? 's' : 'p', map->pgoff, e->ino,
			texts__get(&m->texts, e->path));
	}
}

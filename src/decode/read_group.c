// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/read_group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "data/attrs.h"
#include "data/perf_sample.h"
#include "util/array.h"

/* Returns the counter, added with 0 if it is new. NULL: no memory. */
static struct read_count *find_or_add(struct read_group *g, uint64_t id, uint32_t tid)
{
	uint64_t key = u64map__mix(id) + tid;
	uint32_t *slot;

	while ((slot = u64map__slot(&g->by_counter, key)) && *slot != U64MAP_NONE) {
		if (g->counts[*slot].id == id && g->counts[*slot].tid == tid)
			return &g->counts[*slot];
		key++;
	}
	if (!slot || array__reserve((void **)&g->counts, &g->cap, g->cnt + 1, sizeof(*g->counts)))
		return NULL;
	*slot = (uint32_t)g->cnt;
	g->counts[g->cnt] = (struct read_count){ .id = id, .tid = tid };
	return &g->counts[g->cnt++];
}

/* Computes the growth of a counter since it was last read. 0 or -ENOMEM. */
static int take_growth(struct read_group *g, uint64_t id, uint32_t tid, uint64_t count,
		       uint64_t *growth)
{
	struct read_count *last = find_or_add(g, id, tid);

	if (!last)
		return -ENOMEM;
	/* A smaller value is from another thread that reuses the id of an exited one. */
	*growth = count < last->count ? count : count - last->count;
	last->count = count;
	return 0;
}

/* Inherited counters share one id, but each counts for its own thread (perf 6.13). */
static uint32_t counting_tid(const struct perf_sample *s)
{
	return s->event->flags & ATTR_INHERIT && s->have & PERF_SAMPLE_TID ? s->tid : 0;
}

static uint64_t times_cnt(const struct perf_sample *s)
{
	return (uint64_t) !!(s->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
	       !!(s->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING);
}

bool read_group__begin(struct read_group *g, const struct perf_sample *s)
{
	bool is_group = s->read_format & PERF_FORMAT_GROUP;

	if (!(s->have & PERF_SAMPLE_READ) || !(s->read_format & PERF_FORMAT_ID) || !s->read.cnt)
		return false;
	g->left = is_group ? perf_words__get(&s->read, 0) : 1;
	g->at = is_group ? 1 + times_cnt(s) : 0;
	return true;
}

int read_group__next(struct read_group *g, const struct attrs *attrs, const struct perf_sample *s,
		     struct perf_sample *one)
{
	uint64_t sz = 2 + !!(s->read_format & PERF_FORMAT_LOST), at, id_at;
	int err;

	for (; g->left; g->left--) {
		at = g->at;
		/* A single counter has its times between count and id. */
		id_at = at + 1 + (s->read_format & PERF_FORMAT_GROUP ? 0 : times_cnt(s));
		if (id_at >= s->read.cnt)
			break;
		g->at += sz;
		*one = *s;
		one->id = perf_words__get(&s->read, id_at);
		one->event = attrs__find(attrs, one->id);
		err = take_growth(g, one->id, counting_tid(s), perf_words__get(&s->read, at),
				  &one->period);
		if (err)
			return err;
		if (!one->event || !one->period)
			continue;
		g->left--;
		return 1;
	}
	g->left = 0;
	return 0;
}

void read_group__free(struct read_group *g)
{
	u64map__free(&g->by_counter);
	free(g->counts);
	*g = (struct read_group){ 0 };
}

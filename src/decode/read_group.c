// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/read_group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "data/attrs.h"
#include "decode/perf_sample.h"
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

int read_group__each(struct read_group *g, const struct attrs *attrs, const struct perf_sample *s,
		     int (*fn)(void *ctx, const struct perf_sample *s), void *ctx)
{
	uint64_t times = !!(s->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
			 !!(s->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	uint64_t sz = 2 + !!(s->read_format & PERF_FORMAT_LOST), cnt = 1, at = 0, i;
	bool is_group = s->read_format & PERF_FORMAT_GROUP;
	int err = 0;

	if (!(s->have & PERF_SAMPLE_READ) || !(s->read_format & PERF_FORMAT_ID) || !s->read.cnt)
		return fn(ctx, s);
	if (is_group) {
		cnt = perf_words__get(&s->read, 0);
		at = 1 + times;
	}
	for (i = 0; i < cnt && !err; i++, at += sz) {
		struct perf_sample one = *s;
		/* A single counter has its times between count and id. */
		uint64_t id_at = at + 1 + (is_group ? 0 : times);

		if (id_at >= s->read.cnt)
			break;
		one.id = perf_words__get(&s->read, id_at);
		one.event = attrs__find(attrs, one.id);
		err = take_growth(g, one.id, counting_tid(s), perf_words__get(&s->read, at),
				  &one.period);
		if (!err && one.event && one.period)
			err = fn(ctx, &one);
	}
	return err;
}

void read_group__free(struct read_group *g)
{
	u64map__free(&g->by_counter);
	free(g->counts);
	*g = (struct read_group){ 0 };
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/recorded_group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "data/attrs.h"
#include "decode/perf_sample.h"
#include "util/array.h"

/* By how much a counter has grown since it was read last. 0 or -ENOMEM. */
static int take_growth(struct recorded_group *g, uint64_t id, uint64_t count, uint64_t *growth)
{
	uint32_t *slot = u64map__slot(&g->by_id, id);

	if (!slot)
		return -ENOMEM;
	if (*slot == U64MAP_NONE) {
		if (array__reserve((void **)&g->counts, &g->cap, g->cnt + 1, sizeof(*g->counts)))
			return -ENOMEM;
		*slot = (uint32_t)g->cnt;
		g->counts[g->cnt++] = 0;
	}
	*growth = count - g->counts[*slot];
	g->counts[*slot] = count;
	return 0;
}

int recorded_group__each(struct recorded_group *g, const struct attrs *attrs,
			 const struct perf_sample *s,
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
		/* Alone, the times stand between count and id. */
		uint64_t id_at = at + 1 + (is_group ? 0 : times);

		if (id_at >= s->read.cnt)
			break;
		one.id = perf_words__get(&s->read, id_at);
		one.event = attrs__find(attrs, one.id);
		err = take_growth(g, one.id, perf_words__get(&s->read, at), &one.period);
		if (!err && one.event && one.period)
			err = fn(ctx, &one);
	}
	return err;
}

void recorded_group__free(struct recorded_group *g)
{
	u64map__free(&g->by_id);
	free(g->counts);
	*g = (struct recorded_group){ 0 };
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "strace/printed_threads.h"

#include <stdlib.h>

static void free_thread(struct printed_thread *t)
{
	free(t->begun);
	free(t->exec);
	strbuf__free(&t->begun_stack);
	*t = (struct printed_thread){ .tid = 0 };
}

void printed_threads__free(struct printed_threads *ts)
{
	size_t i;

	for (i = 0; i < ts->cnt; i++)
		free_thread(&ts->threads[i]);
	free(ts->threads);
	u64map__free(&ts->by_tid);
	*ts = (struct printed_threads){ .cnt = 0 };
}

struct printed_thread *printed_threads__find(const struct printed_threads *ts, uint32_t tid)
{
	uint32_t i = u64map__get(&ts->by_tid, tid);

	return i == U64MAP_NONE ? NULL : &ts->threads[i];
}

/* Returns the index of a place for a new thread. U64MAP_NONE: no memory. */
static uint32_t new_place(struct printed_threads *ts, uint32_t tid)
{
	uint32_t i = ts->first_unused ? ts->first_unused - 1 : (uint32_t)ts->cnt;

	if (ts->first_unused) {
		ts->first_unused = ts->threads[i].next_unused;
	} else if (ts->cnt++ == ts->cap) {
		size_t cap = ts->cap ? 2 * ts->cap : 16;
		void *more = realloc(ts->threads, cap * sizeof(*ts->threads));

		if (!more) {
			ts->cnt--;
			return U64MAP_NONE;
		}
		ts->threads = more;
		ts->cap = cap;
	}
	ts->threads[i] = (struct printed_thread){ .tid = tid };
	return i;
}

struct printed_thread *printed_threads__get(struct printed_threads *ts, uint32_t tid)
{
	uint32_t *slot = u64map__slot(&ts->by_tid, tid);
	struct printed_thread *t;

	if (!slot)
		return NULL;
	if (*slot == U64MAP_NONE)
		*slot = new_place(ts, tid);
	if (*slot == U64MAP_NONE)
		return NULL;
	t = &ts->threads[*slot];
	if (!t->is_live) {
		t->is_live = true;
		ts->live_cnt++;
	}
	return t;
}

void printed_threads__retire(struct printed_threads *ts, struct printed_thread *t)
{
	uint32_t *slot = u64map__slot(&ts->by_tid, t->tid), i = (uint32_t)(t - ts->threads);

	t->is_live = false;
	ts->live_cnt--;
	if (!slot)
		return;
	*slot = U64MAP_NONE;
	free_thread(t);
	t->next_unused = ts->first_unused;
	ts->first_unused = i + 1;
}

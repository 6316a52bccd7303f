// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "why/waits.h"

#include <stdlib.h>

#include "util/array.h"
#include "why/timeline.h"

static uint64_t key_of(const struct why_wait *w)
{
	uint64_t h = u64map__mix((uint64_t)w->thread << 32 | w->stack);

	return h ^ (((uint64_t)w->file ^ w->instead) << 8 | w->kind);
}

static struct why_wait blocked_part(const struct why_absence *a)
{
	return (struct why_wait){
		.thread = a->thread,
		.stack = a->stack,
		.file = a->file,
		.instead = WHY_NONE,
		.kind = a->blocked,
	};
}

static struct why_wait runnable_part(const struct why_absence *a)
{
	return (struct why_wait){
		.thread = a->thread,
		.stack = a->stack,
		.file = TEXTS_NONE,
		.instead = a->instead,
		.kind = a->runnable,
	};
}

/* The sum that the part belongs to; NULL: there is none yet. */
static struct why_wait *sum_of(struct why_waits *w, struct why_wait *part)
{
	uint32_t idx = u64map__get(&w->by_key, key_of(part));

	if (idx == U64MAP_NONE && w->cnt >= WHY_WAITS_TOLD && part->instead != WHY_NONE) {
		part->instead = WHY_SOME_THREAD;
		idx = u64map__get(&w->by_key, key_of(part));
	}
	return idx == U64MAP_NONE ? NULL : &w->at[idx];
}

static struct why_wait *new_sum(struct why_waits *w, const struct why_wait *part)
{
	uint32_t *slot;

	if (w->cnt >= WHY_WAITS_MAX ||
	    array__reserve((void **)&w->at, &w->cap, w->cnt + 1, sizeof(*w->at)))
		return NULL;
	slot = u64map__slot(&w->by_key, key_of(part));
	if (!slot)
		return NULL;
	*slot = (uint32_t)w->cnt;
	w->at[w->cnt] = *part;
	return &w->at[w->cnt++];
}

static void add(struct why_waits *w, struct why_wait part, uint64_t ns)
{
	struct why_wait *sum = ns ? sum_of(w, &part) : NULL;

	if (ns && !sum)
		sum = new_sum(w, &part);
	if (!sum)
		return;
	sum->ns += ns;
	sum->cnt++;
}

void why_waits__add(struct why_waits *w, const struct why_absence *a)
{
	add(w, blocked_part(a), a->woken_ns - a->start_ns);
	add(w, runnable_part(a), a->end_ns - a->woken_ns);
}

void why_waits__shorten(struct why_waits *w, const struct why_absence *a, uint64_t ns)
{
	struct why_wait part = runnable_part(a), *sum = sum_of(w, &part);

	if (sum)
		sum->ns -= ns < sum->ns ? ns : sum->ns;
}

void why_waits__free(struct why_waits *w)
{
	free(w->at);
	u64map__free(&w->by_key);
	*w = (struct why_waits){ .by_key = U64MAP_INIT };
}

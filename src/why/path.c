// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "why/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* Wakeups at one and the same time that are followed: clocks of CPUs may disagree, and go round. */
#define SAME_TIME_HOPS 64

/* A wait is passed over if one of those before it was so many times as long as the time since. */
#define AFTERTHOUGHT_TIMES 200
#define AFTERTHOUGHTS_MAX 16

/* The position of the search. */
struct walk {
	struct why_path *path;
	const struct why_index *ix;
	const struct why_timeline *tl;
	why_step_fn fn;
	void *ctx;
	uint32_t thread;
	uint64_t at_ns;
	uint64_t begin_ns;
	uint32_t waiter; /* absence of the thread that the walk came from … */
	uint64_t waited_ns; /* … and since when that thread has waited for the same thing */
	unsigned int same_time;
	bool has_hopped; /* the thread did something at at_ns: it was on a CPU */
};

static int add_step(struct walk *w, uint64_t begin_ns, uint32_t absence, enum why_kind kind)
{
	struct why_path *p = w->path;
	struct why_step step;

	if (begin_ns < w->begin_ns)
		begin_ns = w->begin_ns;
	if (begin_ns >= w->at_ns)
		return 0;
	/* The waiter began to wait within this step: only the part since then was waited for. */
	if (w->waiter != WHY_NONE && w->waited_ns > begin_ns && w->waited_ns < w->at_ns) {
		if (add_step(w, w->waited_ns, absence, kind))
			return -ENOMEM;
		w->waiter = WHY_NONE;
		return add_step(w, begin_ns, absence, kind);
	}
	if (w->waited_ns >= w->at_ns)
		w->waiter = WHY_NONE;
	if (array__reserve((void **)&p->legs, &p->cap, p->cnt + 1, sizeof(*p->legs)))
		return -ENOMEM;
	p->legs[p->cnt++] = (struct why_leg){ begin_ns, w->thread, kind };
	step = (struct why_step){
		.begin_ns = begin_ns,
		.end_ns = w->at_ns,
		.thread = w->thread,
		.absence = absence,
		.waiter = w->waiter,
		.kind = (uint8_t)kind,
	};
	w->at_ns = begin_ns;
	w->same_time = 0;
	return w->fn(w->ctx, &step);
}

/*
 * Did the thread wait much longer for something else right before? Both chains of causes are nearly
 * as long, and the long wait tells more: a thread that waits for others to end, one by one, waits
 * shortly for those that end because the first one has.
 */
static bool is_afterthought(const struct walk *w, const struct why_absence *a)
{
	/* At least: the one before ended earlier. */
	uint64_t since_ns = a->woken_ns - a->start_ns;
	uint64_t longest_ns = w->tl->threads[a->thread].longest_ns;
	const struct why_absence *before = a;
	unsigned int i;

	for (i = 0; i < AFTERTHOUGHTS_MAX && longest_ns > AFTERTHOUGHT_TIMES * since_ns; i++) {
		before = why_timeline__absence(w->tl, before->prev);
		if (!before)
			return false;
		since_ns = a->woken_ns - before->woken_ns;
		if (before->woken_ns - before->start_ns > AFTERTHOUGHT_TIMES * since_ns &&
		    why_kinds[before->blocked].group == 'b')
			return before->waker != WHY_NONE;
	}
	return false;
}

/* May the path go on in the thread that ended the wait? */
static bool may_hop(const struct walk *w, const struct why_absence *a)
{
	const struct why_thread *waker;

	if (a->waker == WHY_NONE || a->waker == w->thread || w->same_time >= SAME_TIME_HOPS)
		return false;
	waker = &w->tl->threads[a->waker];
	return waker->is_target && waker->begin_ns < w->at_ns && !is_afterthought(w, a);
}

/* Since when the thread has waited at this place, as far as it is kept. */
static uint64_t waited_since(const struct why_timeline *tl, const struct why_absence *a)
{
	const struct why_absence *first = why_timeline__absence(tl, a->first);

	return first ? first->start_ns : a->start_ns;
}

static void hop(struct walk *w, uint32_t to, uint32_t waiter)
{
	const struct why_absence *a = why_timeline__absence(w->tl, waiter);

	w->waited_ns = a ? waited_since(w->tl, a) : 0;
	w->path->hop_cnt++;
	w->has_hopped = true;
	w->thread = to;
	w->waiter = waiter;
	w->same_time++;
}

/* Goes back over the absence that the walk is at the end of, or within. */
static int walk_absence(struct walk *w, const struct why_absence *a, uint32_t idx)
{
	if (w->at_ns > a->woken_ns && add_step(w, a->woken_ns, idx, (enum why_kind)a->runnable))
		return -ENOMEM;
	if (w->at_ns <= w->begin_ns || a->woken_ns == a->start_ns)
		return 0;
	if (may_hop(w, a)) {
		hop(w, a->waker, idx);
		return 0;
	}
	return add_step(w, a->start_ns, idx, (enum why_kind)a->blocked);
}

/* At the begin of a thread: goes on in the thread that started it. False: the path ends here. */
static bool walk_to_parent(struct walk *w)
{
	const struct why_thread *t = &w->tl->threads[w->thread];

	if (t->parent == WHY_NONE || t->was_here || !w->tl->threads[t->parent].is_target ||
	    w->same_time >= SAME_TIME_HOPS)
		return false;
	hop(w, t->parent, WHY_NONE);
	return true;
}

/* Is the absence before the oldest one that is kept of the thread missing? */
static bool is_cut(const struct walk *w, uint32_t next)
{
	const struct why_absence *oldest = why_timeline__absence(w->tl, next);

	return oldest && oldest->prev != WHY_NONE && !why_timeline__absence(w->tl, oldest->prev);
}

/* The absence that the walk is at the end of, or within, or that precedes; next: the one after. */
static uint32_t absence_before(struct walk *w, uint32_t *next)
{
	uint32_t idx = why_index__absence_before(w->ix, w->thread, w->at_ns, next);
	const struct why_absence *a = why_timeline__absence(w->tl, idx);

	if (w->has_hopped && a && w->at_ns <= a->start_ns + why_absence__late_ns(a)) {
		*next = idx;
		idx = a->prev;
	}
	w->has_hopped = false;
	return idx;
}

static int walk(struct walk *w)
{
	int err = 0;

	while (!err && w->at_ns > w->begin_ns) {
		uint64_t born_ns = w->tl->threads[w->thread].begin_ns;
		uint32_t next, idx = absence_before(w, &next);
		const struct why_absence *a = why_timeline__absence(w->tl, idx);

		w->path->is_cut |= !a && is_cut(w, next);
		if (w->path->is_cut)
			break;
		if (!a || a->end_ns <= born_ns) {
			err = add_step(w, born_ns, next, WHY_USER);
			if (!err && (w->at_ns <= w->begin_ns || !walk_to_parent(w)))
				break;
			continue;
		}
		if (a->end_ns < w->at_ns)
			err = add_step(w, a->end_ns, next, WHY_USER);
		if (!err && w->at_ns > w->begin_ns)
			err = walk_absence(w, a, idx);
	}
	return err;
}

int why_path__find(struct why_path *path, const struct why_index *ix, uint32_t thread,
		   uint64_t begin_ns, uint64_t end_ns, why_step_fn fn, void *ctx)
{
	struct walk w = {
		.path = path,
		.ix = ix,
		.tl = ix->tl,
		.fn = fn,
		.ctx = ctx,
		.thread = thread,
		.at_ns = end_ns,
		.begin_ns = begin_ns,
		.waiter = WHY_NONE,
	};
	int err;

	path->cnt = 0;
	path->hop_cnt = 0;
	path->is_cut = false;
	err = walk(&w);
	path->begin_ns = w.at_ns;
	path->end_ns = end_ns;
	return err;
}

void why_path__free(struct why_path *path)
{
	free(path->legs);
	memset(path, 0, sizeof(*path));
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/top.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/mono.h"
#include "util/term.h"

extern const struct sink_ops top_sink;

/* Factor by which values decay each second: half of a value is gone after three seconds. */
#define DECAY 0.8

struct sink *top__new(struct sink *file, const struct sink_config *cfg, const char *title)
{
	struct sink *sink = sink__new(&top_sink, file ? file->out : NULL, cfg);
	struct top *top = sink ? sink->priv : NULL;

	if (!sink)
		return NULL;
	top->file = file;
	sink->wants_tasks = file && file->wants_tasks;
	top->title = title;
	top->color = cfg->color;
	top->sort = TOP_BY_SELF;
	top->begin_ns = mono_ns();
	top->view.has_off = cfg->profile->off_events[0];
	top->view.by_weight = cfg->profile->by_weight || top->view.has_off;
	profile__init(&top->profile, cfg->sym, cfg->profile->by);
	return sink;
}

struct top *top__of(struct sink *sink)
{
	return sink->priv;
}

static int top_begin(struct sink *sink)
{
	struct top *top = sink->priv;

	return top->file ? sink__begin(top->file) : 0;
}

static int top_sample(struct sink *sink, const struct sample *s)
{
	struct top *top = sink->priv;
	int err = 0;

	if (top->profile.stack_cnt >= TOP_MAX_STACKS) {
		top__restart(top);
		top->restarts++;
	}
	if (top->file)
		err = sink__sample(top->file, s);
	return err ? err : profile__add(&top->profile, s);
}

static int top_start(struct sink *sink)
{
	struct top *top = sink->priv;

	return top->file ? sink__start(top->file) : 0;
}

static int top_task(struct sink *sink, const struct proc_event *ev, const struct record *rec)
{
	struct top *top = sink->priv;

	return sink__task(top->file, ev, rec);
}

static int top_flush(struct sink *sink)
{
	struct top *top = sink->priv;

	return top->file ? sink__flush(top->file) : 0;
}

static int top_lost(struct sink *sink, const struct lost *l)
{
	struct top *top = sink->priv;

	top->lost += l->cnt;
	return top->file ? sink__lost(top->file, l) : 0;
}

static int top_end(struct sink *sink)
{
	struct top *top = sink->priv;

	return top->file ? sink__end(top->file) : 0;
}

static void forget(struct top *top)
{
	profile__free(&top->profile);
	u64map__free(&top->by_funcs);
	free(top->funcs);
	free(top->stacks);
	free(top->order);
	top->funcs = top->stacks = NULL;
	top->order = NULL;
	top->func_cap = top->stack_cap = top->order_cap = top->order_cnt = 0;
}

static void top_free(struct sink *sink)
{
	struct top *top = sink->priv;

	forget(top);
	sink__free(top->file);
}

void top__restart(struct top *top)
{
	struct sym *sym = top->profile.sym;
	enum profile_by by = top->profile.by;

	forget(top);
	profile__init(&top->profile, sym, by);
	top->begin_ns = mono_ns();
	top->recent = 0;
	top->sum = 0;
	top->selected = top->first = 0;
}

/* Makes room for `need` rows, new ones zeroed. */
static int reserve(struct top_row **rows, size_t *cap, size_t need)
{
	size_t old_cap = *cap;
	int err = array__reserve((void **)rows, cap, need, sizeof(**rows));

	if (*cap > old_cap)
		memset(*rows + old_cap, 0, (*cap - old_cap) * sizeof(**rows));
	return err;
}

/* Adds a stack's new values to each of its functions once. */
static int count_stack(struct top *top, const struct profile_stack *st, uint64_t new_cnt)
{
	struct profile *p = &top->profile;
	size_t i, n = profile_stack__depth(st);
	const uint32_t *funcs;
	uint16_t cnt;

	top->stamp++;
	for (i = 0; i < n; i++) {
		funcs = profile__funcs(p, p->frames[st->at + i], &cnt);
		if (!funcs || reserve(&top->funcs, &top->func_cap, p->func_cnt))
			return -ENOMEM;
		if (i == 0) {
			struct top_row *own = &top->funcs[funcs[cnt - 1]];

			own->recent_self += (double)new_cnt;
			own->self += new_cnt;
		}
		while (cnt--) {
			struct top_row *row = &top->funcs[funcs[cnt]];

			if (row->stamp == top->stamp)
				continue;
			row->stamp = top->stamp;
			row->recent_total += (double)new_cnt;
			row->total += new_cnt;
		}
	}
	return 0;
}

static uint64_t hash_funcs(struct profile *p, const struct profile_stack *st)
{
	uint64_t h = u64map__mix((uint64_t)st->group[0] << 32 | st->group[1]) + st->truncated +
		     2ull * st->event;
	size_t i, n = profile_stack__depth(st);
	const uint32_t *funcs;
	uint16_t cnt;

	for (i = 0; i < n; i++) {
		funcs = profile__funcs(p, p->frames[st->at + i], &cnt);
		while (funcs && cnt--)
			h = u64map__mix(h ^ funcs[cnt]) + 1;
	}
	return h;
}

/*
 * Returns the row of a stack. Stacks differ by address, but the view shows functions. NULL: no
 * memory.
 */
static struct top_row *row_of(struct top *top, uint32_t i)
{
	struct top_row *row = &top->stacks[i];
	uint32_t *slot;

	if (!row->like) {
		slot = u64map__slot(&top->by_funcs,
				    hash_funcs(&top->profile, &top->profile.stacks[i]));
		if (!slot)
			return NULL;
		if (*slot == U64MAP_NONE)
			*slot = i;
		row->like = *slot + 1;
	}
	return &top->stacks[row->like - 1];
}

/* Time off the CPU is added to time on the CPU only, never to other weights. */
static uint64_t counted(const struct top *top, const struct profile_stack *st)
{
	if (top->view.has_off && !top->profile.events[st->event].is_ns)
		return 0;
	return top->view.by_weight ? st->weight : st->samples;
}

/* Adds a stack's values since the last tick. */
static int tick_stack(struct top *top, uint32_t i)
{
	const struct profile_stack *st = &top->profile.stacks[i];
	uint64_t new_cnt = counted(top, st) - top->stacks[i].seen;
	struct top_row *row;

	if (!new_cnt)
		return 0;
	row = row_of(top, i);
	if (!row)
		return -ENOMEM;
	row->recent_self += (double)new_cnt;
	row->recent_total = row->recent_self;
	row->self += new_cnt;
	row->total = row->self;
	top->stacks[i].seen += new_cnt;
	top->recent += (double)new_cnt;
	top->sum += new_cnt;
	return count_stack(top, st, new_cnt);
}

int top__tick(struct top *top)
{
	struct profile *p = &top->profile;
	size_t i;
	int err = reserve(&top->stacks, &top->stack_cap, p->stack_cnt);

	top->view.is_ns = top->view.by_weight;
	for (i = 0; i < p->event_cnt; i++)
		top->view.is_ns &= p->events[i].is_ns || top->view.has_off;
	for (i = 0; i < top->func_cap; i++) {
		top->funcs[i].recent_self *= DECAY;
		top->funcs[i].recent_total *= DECAY;
	}
	for (i = 0; i < top->stack_cap; i++) {
		top->stacks[i].recent_self *= DECAY;
		top->stacks[i].recent_total *= DECAY;
	}
	top->recent *= DECAY;
	for (i = 0; i < p->stack_cnt && !err; i++)
		err = tick_stack(top, (uint32_t)i);
	return err;
}

static double value_of(const struct top *top, uint32_t idx)
{
	const struct top_row *row = top->mode == TOP_STACKS ? &top->stacks[idx] : &top->funcs[idx];

	if (top->all)
		return (double)(top->sort == TOP_BY_SELF ? row->self : row->total);
	return top->sort == TOP_BY_SELF ? row->recent_self : row->recent_total;
}

static int cmp_rows(const void *a, const void *b, void *ctx)
{
	const struct top *top = ctx;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	double x = value_of(top, i), y = value_of(top, k);

	if (x < y || x > y)
		return x > y ? -1 : 1;
	/* Equal rows keep their order from screen to screen. */
	return i < k ? -1 : i > k;
}

/*
 * Checks whether the name of the function, or of one of the stack's functions, contains the typed
 * text.
 */
static bool passes(struct top *top, uint32_t idx)
{
	struct profile *p = &top->profile;
	const struct profile_stack *st;
	const uint32_t *funcs;
	uint16_t cnt;
	size_t i;

	if (!top->filter[0])
		return true;
	if (top->mode == TOP_FUNCTIONS)
		return strstr(profile__text(p, p->funcs[idx].name), top->filter);
	st = &p->stacks[idx];
	if (strstr(profile__text(p, st->group[0]), top->filter))
		return true;
	for (i = 0; i < profile_stack__depth(st); i++) {
		funcs = profile__funcs(p, p->frames[st->at + i], &cnt);
		while (funcs && cnt--)
			if (strstr(profile__text(p, p->funcs[funcs[cnt]].name), top->filter))
				return true;
	}
	return false;
}

int top__sort_rows(struct top *top)
{
	size_t cnt = top->mode == TOP_STACKS ? top->profile.stack_cnt : top->profile.func_cnt;
	/* Less than a twentieth of a sample, or a microsecond, is no longer shown. */
	double least = top->view.is_ns && !top->all ? 1000 : 0.05;
	uint32_t *bigger, i;

	/* Stacks that arrived after the last tick have no row yet. */
	if (cnt > (top->mode == TOP_STACKS ? top->stack_cap : top->func_cap))
		cnt = top->mode == TOP_STACKS ? top->stack_cap : top->func_cap;
	if (cnt > top->order_cap) {
		bigger = realloc(top->order, cnt * sizeof(*bigger));
		if (!bigger)
			return -ENOMEM;
		top->order = bigger;
		top->order_cap = cnt;
	}
	top->order_cnt = 0;
	for (i = 0; i < cnt; i++)
		if (value_of(top, i) >= least && passes(top, i))
			top->order[top->order_cnt++] = i;
	if (top->order_cnt)
		qsort_r(top->order, top->order_cnt, sizeof(*top->order), cmp_rows, top);
	return 0;
}

extern const struct sink_ops top_sink;
const struct sink_ops top_sink = {
	.name = "top",
	.priv_sz = sizeof(struct top),
	.begin = top_begin,
	.start = top_start,
	.sample = top_sample,
	.task = top_task,
	.flush = top_flush,
	.lost = top_lost,
	.end = top_end,
	.free = top_free,
};

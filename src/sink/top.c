// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/top.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_wait.h"
#include "util/array.h"
#include "util/mono.h"

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
	top->stale = true;
	top->opened = 1;
	top->begin_ns = mono_ns();
	top->view.has_off = cfg->profile->off_events[0];
	top->view.by_weight = cfg->profile->by_weight || top->view.has_off;
	top->view.is_ns = top->view.has_off;
	top->mode = top->view.has_off ? TOP_WAITS : TOP_FUNCTIONS;
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

/* Returns the part of a sample's weight since the view began: an absence may have begun before. */
static uint64_t weight_since(const struct top *top, const struct sample *s)
{
	uint64_t max = s->time_ns > top->begin_ns ? s->time_ns - top->begin_ns : UINT64_MAX;

	return s->kind == SAMPLE_OFF_CPU && s->period > max ? max : s->period;
}

static int top_sample(struct sink *sink, const struct sample *s)
{
	struct top *top = sink->priv;
	struct sample part = *s;
	int err = 0;

	if (top->profile.stack_cnt >= TOP_MAX_STACKS) {
		top__restart(top);
		top->restarts++;
	}
	if (top->file)
		err = sink__sample(top->file, s);
	part.period = weight_since(top, s);
	return err ? err : profile__add(&top->profile, &part);
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
	u64map__free(&top->by_wait);
	free(top->wait_rows);
	free(top->waits);
	free(top->order);
	free(top->lines);
	strbuf__free(&top->below);
	top->funcs = top->stacks = top->wait_rows = NULL;
	top->waits = NULL;
	top->order = NULL;
	top->lines = NULL;
	top->func_cap = top->stack_cap = top->order_cap = top->order_cnt = 0;
	top->wait_row_cap = top->wait_cap = top->wait_cnt = top->line_cap = top->line_cnt = 0;
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
	top->stale = true;
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

/* Adds to the values of a row. The growth may be below 0, when an absence has another stack. */
static void add_self(struct top_row *row, int64_t growth)
{
	row->recent_self += (double)growth;
	row->self += (uint64_t)growth;
}

static void add_total(struct top_row *row, int64_t growth)
{
	row->recent_total += (double)growth;
	row->total += (uint64_t)growth;
}

/* Adds a stack's growth to each of its functions once; those that are folded have none. */
static int count_stack(struct top *top, const struct profile_stack *st, int64_t growth)
{
	struct profile *p = &top->profile;
	size_t first = top->stacks[st - p->stacks].path, i, n = profile_stack__depth(st);
	const uint32_t *funcs;
	uint16_t cnt;

	top->stamp++;
	for (i = first; i < n; i++) {
		funcs = profile__funcs(p, p->frames[st->at + i], &cnt);
		if (!funcs || reserve(&top->funcs, &top->func_cap, p->func_cnt))
			return -ENOMEM;
		if (i == first)
			add_self(&top->funcs[funcs[cnt - 1]], growth);
		while (cnt--) {
			struct top_row *row = &top->funcs[funcs[cnt]];

			if (row->stamp == top->stamp)
				continue;
			row->stamp = top->stamp;
			add_total(row, growth);
		}
	}
	return 0;
}

static uint64_t hash_funcs(struct profile *p, const struct profile_stack *st,
			   const struct top_row *row)
{
	uint64_t h = u64map__mix((uint64_t)st->group[0] << 32 | st->group[1]);
	size_t i, n = profile_stack__depth(st);
	const uint32_t *funcs;
	uint16_t cnt;

	/* Small numbers are not joined unmixed: those of an event and a function can cancel out. */
	h = u64map__mix(h ^ (2ull * st->event + st->truncated));
	for (i = 0; i < n; i++) {
		if (i >= row->own && i < row->path)
			continue;
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
				    hash_funcs(&top->profile, &top->profile.stacks[i], row));
		if (!slot)
			return NULL;
		if (*slot == U64MAP_NONE)
			*slot = i;
		row->like = *slot + 1;
	}
	return &top->stacks[row->like - 1];
}

/* Finds the wait that a stack shows, and the frames that are folded. 0 or -ENOMEM. */
static int find_wait(struct top *top, uint32_t i)
{
	struct top_row *row = &top->stacks[i];
	struct profile_wait w;
	uint32_t *slot;
	int err = profile_wait__read(&top->profile, &top->profile.stacks[i], &w);

	if (err)
		return err;
	slot = u64map__slot(&top->by_wait, u64map__mix((uint64_t)w.func << 32 | w.call) ^ w.state);
	if (!slot)
		return -ENOMEM;
	if (*slot == U64MAP_NONE) {
		if (array__reserve((void **)&top->waits, &top->wait_cap, top->wait_cnt + 1,
				   sizeof(*top->waits)) ||
		    reserve(&top->wait_rows, &top->wait_row_cap, top->wait_cnt + 1))
			return -ENOMEM;
		top->waits[top->wait_cnt] = (struct top_wait){ w.func, w.state, w.call };
		*slot = (uint32_t)top->wait_cnt++;
	}
	row->wait = *slot + 1;
	row->own = w.own;
	row->path = w.path;
	return 0;
}

/* Time off the CPU is added to time on the CPU only, never to other weights. */
static uint64_t counted(const struct top *top, uint32_t i)
{
	const struct profile_stack *st = &top->profile.stacks[i];

	if (top->view.has_off && !top->profile.events[st->event].is_ns)
		return 0;
	return top->view.by_weight ? st->weight + top->stacks[i].ongoing : st->samples;
}

/* Adds a stack's values since the last tick. */
static int tick_stack(struct top *top, uint32_t i)
{
	const struct profile_stack *st = &top->profile.stacks[i];
	int64_t growth = (int64_t)(counted(top, i) - top->stacks[i].seen);
	struct top_row *row;

	if (!growth)
		return 0;
	if (top->view.has_off && !top->stacks[i].wait && find_wait(top, i))
		return -ENOMEM;
	row = row_of(top, i);
	if (!row)
		return -ENOMEM;
	add_self(row, growth);
	add_total(row, growth);
	if (top->view.has_off) {
		add_self(&top->wait_rows[top->stacks[i].wait - 1], growth);
		add_total(&top->wait_rows[top->stacks[i].wait - 1], growth);
	}
	top->stacks[i].seen += (uint64_t)growth;
	top->recent += (double)growth;
	top->sum += (uint64_t)growth;
	return count_stack(top, st, growth);
}

void top__begin_ongoing(struct top *top)
{
	size_t i;

	for (i = 0; i < top->stack_cap; i++)
		top->stacks[i].ongoing = 0;
}

int top__add_ongoing(struct top *top, const struct sample *s)
{
	uint32_t i;
	int err;

	if (top->profile.stack_cnt >= TOP_MAX_STACKS)
		return 0;
	err = profile__stack_of(&top->profile, s, &i);
	if (!err)
		err = reserve(&top->stacks, &top->stack_cap, top->profile.stack_cnt);
	if (!err)
		top->stacks[i].ongoing += weight_since(top, s);
	return err;
}

static void decay(struct top_row *rows, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++) {
		rows[i].recent_self *= DECAY;
		rows[i].recent_total *= DECAY;
	}
}

int top__tick(struct top *top)
{
	struct profile *p = &top->profile;
	size_t i;
	int err = reserve(&top->stacks, &top->stack_cap, p->stack_cnt);

	top->view.is_ns = top->view.by_weight;
	for (i = 0; i < p->event_cnt; i++)
		top->view.is_ns &= p->events[i].is_ns || top->view.has_off;
	decay(top->funcs, top->func_cap);
	decay(top->stacks, top->stack_cap);
	decay(top->wait_rows, top->wait_row_cap);
	top->recent *= DECAY;
	for (i = 0; i < p->stack_cnt && !err; i++)
		err = tick_stack(top, (uint32_t)i);
	return err;
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

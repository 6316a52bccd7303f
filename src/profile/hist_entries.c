// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/hist_entries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

void hist_entries__free(struct hist_entries *es)
{
	free(es->all);
	free(es->refs);
	u64map__free(&es->by_key);
	*es = (struct hist_entries){ 0 };
}

/*
 * Returns the part of a function by which entries are separated: the function, its file, or
 * nothing.
 */
static uint64_t func_key(const struct hist *h, uint32_t func)
{
	if (hist__has_key(&h->cfg, HIST_SYM))
		return func;
	return hist__has_key(&h->cfg, HIST_DSO) ? h->funcs[func].dso : 0;
}

static bool is_same(const struct hist *h, const struct hist_entry *a, const struct hist_entry *b)
{
	return a->comm == b->comm && a->cpu == b->cpu && a->srcline == b->srcline &&
	       a->trace == b->trace && a->tid == b->tid &&
	       func_key(h, a->func) == func_key(h, b->func);
}

static struct hist_entry *find_or_add(struct hist_entries *es, const struct hist_entry *like)
{
	uint64_t key = u64map__mix((uint64_t)like->comm << 32 | like->cpu);
	uint32_t *slot;

	key = u64map__mix(key ^ ((uint64_t)like->srcline << 32 | (uint32_t)like->tid));
	key = u64map__mix(key ^ func_key(es->hist, like->func) ^ (uint64_t)like->trace << 32);
	while ((slot = u64map__slot(&es->by_key, key)) && *slot != U64MAP_NONE) {
		if (is_same(es->hist, &es->all[*slot], like))
			return &es->all[*slot];
		key++;
	}
	if (!slot || es->cnt >= UINT32_MAX - 2)
		return NULL;
	*slot = (uint32_t)es->cnt;
	if (array__reserve((void **)&es->all, &es->cap, es->cnt + 1, sizeof(*es->all))) {
		*slot = U64MAP_NONE;
		return NULL;
	}
	es->all[es->cnt] = *like;
	return &es->all[es->cnt++];
}

static int add_ref(struct hist_entries *es, struct hist_entry *e, uint32_t row, uint32_t pos)
{
	uint32_t depth = es->hist->rows[row].frame_cnt - pos;
	struct hist_ref *ref;

	if (!es->hist->cfg.has_chains || !depth)
		return 0;
	if (depth > e->depth)
		e->depth = depth;
	e->ref_cnt++;
	if (array__reserve((void **)&es->refs, &es->ref_cap, es->ref_cnt + 1, sizeof(*es->refs)))
		return -ENOMEM;
	ref = &es->refs[es->ref_cnt++];
	*ref = (struct hist_ref){ (uint32_t)(e - es->all), row, pos };
	return 0;
}

/* A row is added once to each function of its chain, even if recursion repeats the function. */
static int add_callers(struct hist_entries *es, uint32_t row, struct hist_entry like)
{
	const struct hist *h = es->hist;
	const struct hist_row *r = &h->rows[row];
	struct hist_entry *e;
	uint32_t pos;
	int err = 0;

	for (pos = 0; pos < r->frame_cnt && !err; pos++) {
		like.func = h->frames[r->at + pos];
		if (h->funcs[like.func].is_mapped)
			like.level = h->funcs[like.func].level;
		e = find_or_add(es, &like);
		if (!e)
			return -ENOMEM;
		if (e->mark == row + 1)
			continue;
		e->mark = row + 1;
		e->total += r->period;
		err = add_ref(es, e, row, pos);
	}
	return err;
}

static int add_row(struct hist_entries *es, uint32_t row)
{
	const struct hist_row *r = &es->hist->rows[row];
	struct hist_entry like = {
		.comm = r->comm,
		.cpu = r->cpu,
		.srcline = r->srcline,
		.trace = r->trace,
		.tid = r->tid,
		.pid = r->pid,
		.func = r->self == UINT32_MAX ? 0 : r->self,
		.level = r->level,
		.first_tid = r->first_tid,
	};
	struct hist_entry *e = find_or_add(es, &like);
	int err;

	if (!e)
		return -ENOMEM;
	e->mark = row + 1;
	e->samples += r->samples;
	e->self += r->period;
	e->total += r->period;
	err = add_ref(es, e, row, 0);
	if (!err && es->hist->cfg.children)
		err = add_callers(es, row, like);
	return err;
}

static int cmp_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int cmp_text(const struct hist *h, uint32_t a, uint32_t b)
{
	return a == b ? 0 : strcmp(texts__get(&h->texts, a), texts__get(&h->texts, b));
}

/* Orders functions by name, unnamed ones last; by_place: by file and address. */
static int cmp_func(const struct hist *h, uint32_t a, uint32_t b, bool by_place)
{
	const struct hist_func *fa = &h->funcs[a], *fb = &h->funcs[b];
	bool has_a = fa->name != TEXTS_NONE, has_b = fb->name != TEXTS_NONE;

	if (by_place && !hist__has_key(&h->cfg, HIST_DSO) && fa->dso != fb->dso)
		return cmp_text(h, fa->dso, fb->dso);
	if (has_a != has_b)
		return has_a ? -1 : 1;
	if (!by_place)
		return has_a ? cmp_text(h, fa->name, fb->name) : 0;
	return fa->addr != fb->addr ? cmp_u64(fa->addr, fb->addr) : cmp_text(h, fa->name, fb->name);
}

static int cmp_key(const struct hist *h, enum hist_key key, const struct hist_entry *a,
		   const struct hist_entry *b, bool by_place)
{
	switch (key) {
	case HIST_COMM:
		return cmp_text(h, a->comm, b->comm);
	case HIST_PID:
	case HIST_TID:
		return (a->tid > b->tid) - (a->tid < b->tid);
	case HIST_CPU:
		return ((int32_t)a->cpu > (int32_t)b->cpu) - ((int32_t)a->cpu < (int32_t)b->cpu);
	case HIST_DSO:
		return cmp_text(h, h->funcs[a->func].dso, h->funcs[b->func].dso);
	case HIST_SYM:
		return cmp_func(h, a->func, b->func, by_place);
	case HIST_SRCLINE:
		return cmp_text(h, a->srcline, b->srcline);
	case HIST_TRACE:
		return cmp_text(h, a->trace, b->trace);
	case HIST_EVENT:
		break;
	}
	return 0;
}

/* Orders callers above their callees if both have the same share, as far as the chains show. */
static int cmp_depth(const struct hist *h, const struct hist_entry *a, const struct hist_entry *b)
{
	if (!h->cfg.children || !h->cfg.has_chains || a->first_tid != b->first_tid ||
	    a->depth == b->depth)
		return 0;
	return (a->depth > b->depth) == h->cfg.is_caller ? -1 : 1;
}

static int cmp_entries(const void *pa, const void *pb, void *ctx)
{
	const struct hist_entry *a = pa, *b = pb;
	const struct hist *h = ctx;
	int cmp = cmp_u64(b->total, a->total), by_place;
	uint32_t i;

	if (!cmp)
		cmp = cmp_depth(h, a, b);
	if (!cmp)
		cmp = cmp_u64(b->self, a->self);
	for (by_place = 0; by_place < 2; by_place++)
		for (i = 0; i < h->cfg.key_cnt && !cmp; i++)
			cmp = cmp_key(h, h->cfg.keys[i], a, b, by_place);
	return cmp;
}

/* Sorts the references by entry: counts them, then places them. */
static int order_refs(struct hist_entries *es)
{
	struct hist_ref *sorted = malloc((es->ref_cnt + 1) * sizeof(*sorted));
	size_t i, at = 0;

	if (!sorted)
		return -ENOMEM;
	for (i = 0; i < es->cnt; i++) {
		es->all[i].ref = at;
		at += es->all[i].ref_cnt;
		es->all[i].ref_cnt = 0;
	}
	for (i = 0; i < es->ref_cnt; i++) {
		struct hist_entry *e = &es->all[es->refs[i].entry];

		sorted[e->ref + e->ref_cnt++] = es->refs[i];
	}
	free(es->refs);
	es->refs = sorted;
	es->ref_cap = es->ref_cnt + 1;
	return 0;
}

int hist_entries__build(struct hist_entries *es, const struct hist *hist, uint32_t event)
{
	size_t i;
	int err = 0;

	*es = (struct hist_entries){ .hist = hist, .event = event };
	for (i = 0; i < hist->row_cnt && !err; i++)
		if (hist->rows[i].event == event)
			err = add_row(es, (uint32_t)i);
	if (!err)
		err = order_refs(es);
	/* From here on the lookup of entries by key is no longer needed. */
	u64map__free(&es->by_key);
	if (!err && es->cnt)
		qsort_r(es->all, es->cnt, sizeof(*es->all), cmp_entries, (void *)hist);
	return err;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/hist_entries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/hist_facts.h"
#include "util/array.h"

void hist_entries__free(struct hist_entries *es)
{
	free(es->all);
	free(es->refs);
	free(es->rest);
	u64map__free(&es->by_key);
	*es = (struct hist_entries){ 0 };
}

/* The parts of a function by which entries are separated: it, its file, sizes, or none. */
struct func_key {
	uint64_t map_sz;
	uint32_t id, sz;
};

static struct func_key func_key(const struct hist *h, uint32_t func)
{
	const struct hist_func *f = &h->funcs[func];
	struct func_key key = { .id = hist__has_key(&h->cfg, HIST_DSO) ? f->dso : 0 };

	/* A function has one size, and is another one in a mapping of another size. */
	if (hist__has_key(&h->cfg, HIST_SYM)) {
		key.id = func;
		return key;
	}
	key.sz = hist__has_key(&h->cfg, HIST_SYM_SIZE) ? f->sz : 0;
	key.map_sz = hist__has_key(&h->cfg, HIST_DSO_SIZE) ? f->map_sz : 0;
	return key;
}

static bool is_same_func(const struct hist *h, uint32_t a, uint32_t b)
{
	struct func_key ka = func_key(h, a), kb = func_key(h, b);

	return ka.id == kb.id && ka.sz == kb.sz && ka.map_sz == kb.map_sz;
}

static bool is_same(const struct hist *h, const struct hist_entry *a, const struct hist_entry *b)
{
	return a->comm == b->comm && a->cpu == b->cpu && a->srcline == b->srcline &&
	       a->trace == b->trace && a->tid == b->tid && a->facts == b->facts &&
	       a->is_hidden == b->is_hidden && is_same_func(h, a->func, b->func);
}

/* Makes room for the numbers of a new entry. 0 or -ENOMEM. */
static int add_rest(struct hist_entries *es)
{
	size_t each = es->event_cnt - 1;

	if (!each)
		return 0;
	if (array__reserve((void **)&es->rest, &es->rest_cap, (es->cnt + 1) * each,
			   sizeof(*es->rest)))
		return -ENOMEM;
	memset(es->rest + es->cnt * each, 0, each * sizeof(*es->rest));
	return 0;
}

static struct hist_entry *find_or_add(struct hist_entries *es, const struct hist_entry *like)
{
	uint64_t key = u64map__mix((uint64_t)like->comm << 32 | like->cpu);
	struct func_key func = func_key(es->hist, like->func);
	uint32_t *slot;

	key = u64map__mix(key ^ ((uint64_t)like->srcline << 32 | (uint32_t)like->tid));
	key = u64map__mix(key ^ func.id ^ (uint64_t)like->trace << 32);
	key = u64map__mix(key ^ func.map_sz ^ (uint64_t)func.sz << 32);
	key = u64map__mix(key ^ like->facts) + like->is_hidden;
	while ((slot = u64map__slot(&es->by_key, key)) && *slot != U64MAP_NONE) {
		if (is_same(es->hist, &es->all[*slot], like))
			return &es->all[*slot];
		key++;
	}
	if (!slot || es->cnt >= UINT32_MAX - 2)
		return NULL;
	if (array__reserve((void **)&es->all, &es->cap, es->cnt + 1, sizeof(*es->all)) ||
	    add_rest(es))
		return NULL;
	*slot = (uint32_t)es->cnt;
	es->all[es->cnt] = *like;
	es->all[es->cnt].rest = es->cnt * (es->event_cnt - 1);
	return &es->all[es->cnt++];
}

static int add_ref(struct hist_entries *es, struct hist_entry *e, uint32_t row, uint32_t pos)
{
	uint32_t depth = es->hist->rows[row].frame_cnt - pos;
	struct hist_ref *ref;

	if (!es->hist->cfg.has_chains || !depth || es->hist->rows[row].event != es->event)
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

static struct hist_numbers *numbers_of(struct hist_entries *es, struct hist_entry *e,
				       const struct hist_row *r)
{
	uint32_t member = r->event - es->event;

	return member ? &es->rest[e->rest + member - 1] : &e->own;
}

/* The address in a group is that of the first event, if it has a sample. */
static void keep_addr(const struct hist_entries *es, struct hist_entry *e, const struct hist_row *r,
		      uint64_t addr)
{
	if (e->has_own_addr || r->event != es->event)
		return;
	e->addr = addr;
	e->has_own_addr = true;
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
		const struct hist_func *frame = &h->funcs[h->frames[r->at + pos]];

		like.func = frame->whole;
		like.addr = frame->ip;
		if (h->cfg.hides_unresolved && h->funcs[like.func].name == TEXTS_NONE)
			continue;
		if (h->funcs[like.func].is_mapped)
			like.level = h->funcs[like.func].level;
		e = find_or_add(es, &like);
		if (!e)
			return -ENOMEM;
		keep_addr(es, e, r, like.addr);
		if (e->mark == row + 1)
			continue;
		e->mark = row + 1;
		numbers_of(es, e, r)->total += r->period;
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
		.facts = r->facts,
		.tid = r->tid,
		.pid = r->pid,
		.func = r->self == UINT32_MAX ? 0 : r->self,
		.level = r->level,
		.first_tid = r->first_tid,
		.addr = r->first_addr,
		.is_hidden = r->is_hidden,
	};
	struct hist_entry *e = find_or_add(es, &like);
	struct hist_numbers *n;
	int err;

	if (!e)
		return -ENOMEM;
	keep_addr(es, e, r, like.addr);
	e->mark = row + 1;
	n = numbers_of(es, e, r);
	n->samples += r->samples;
	n->self += r->period;
	n->total += r->period;
	n->by_mode[r->mode] += r->period;
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

/* Orders files by name, unknown ones last. */
static int cmp_dso(const struct hist *h, uint32_t a, uint32_t b)
{
	const struct hist_func *fa = &h->funcs[a], *fb = &h->funcs[b];

	if (fa->is_mapped != fb->is_mapped)
		return fa->is_mapped ? -1 : 1;
	return cmp_text(h, fa->dso, fb->dso);
}

/* Orders functions by name, unnamed ones last; by_place: by file and address. */
static int cmp_func(const struct hist *h, uint32_t a, uint32_t b, bool by_place)
{
	const struct hist_func *fa = &h->funcs[a], *fb = &h->funcs[b];
	bool has_a = fa->name != TEXTS_NONE, has_b = fb->name != TEXTS_NONE;

	/* perf -v orders addresses without a name by themselves alone. */
	if (by_place && !hist__has_key(&h->cfg, HIST_DSO) && fa->dso != fb->dso &&
	    (has_a || has_b || !h->cfg.has_addresses))
		return cmp_text(h, fa->dso, fb->dso);
	if (has_a != has_b)
		return has_a ? -1 : 1;
	if (!by_place)
		return has_a ? cmp_text(h, fa->name, fb->name) : 0;
	return fa->addr != fb->addr ? cmp_u64(fa->addr, fb->addr) : cmp_text(h, fa->name, fb->name);
}

/* Orders callers above their callees if both have the same share, as far as the chains show. */
static int cmp_depth(const struct hist *h, const struct hist_entry *a, const struct hist_entry *b)
{
	if (!h->cfg.children || !h->cfg.has_chains || a->first_tid != b->first_tid ||
	    a->depth == b->depth)
		return 0;
	return (a->depth > b->depth) == h->cfg.is_caller ? -1 : 1;
}

uint64_t hist_numbers__get(const struct hist_numbers *n, enum hist_key key)
{
	if (key >= HIST_OVERHEAD_MODES && key < HIST_OVERHEAD_MODES + HIST_MODES)
		return n->by_mode[key - HIST_OVERHEAD_MODES];
	return key == HIST_SAMPLES             ? n->samples
	       : key == HIST_OVERHEAD_CHILDREN ? n->total
					       : n->self;
}

static int cmp_member(const struct hist_entries *es, const struct hist_entry *a,
		      const struct hist_entry *b, enum hist_key key, uint32_t member)
{
	return cmp_u64(hist_numbers__get(hist_entries__numbers(es, b, member), key),
		       hist_numbers__get(hist_entries__numbers(es, a, member), key));
}

/*
 * Orders by a column of numbers: the largest first, by the first event in which they differ, or by
 * the one that was asked for.
 */
static int cmp_number(const struct hist_entries *es, const struct hist_entry *a,
		      const struct hist_entry *b, enum hist_key key)
{
	const struct hist_config *cfg = &es->hist->cfg;
	const bool has_member = cfg->sort_member < es->event_cnt;
	uint32_t i, first = has_member ? (uint32_t)cfg->sort_member : 0;
	int cmp;

	if (key == HIST_OVERHEAD_CHILDREN && !cfg->children)
		return 0;
	cmp = cmp_member(es, a, b, key, first);
	/*
	 * perf compares the share with callees of one event alone, behind another event than the
	 * first one only further ones, and none behind the first where the group lacks the event.
	 */
	for (i = 1; has_member && key != HIST_OVERHEAD_CHILDREN && i < es->event_cnt && !cmp; i++)
		cmp = cmp_member(es, a, b, key, i);
	return cmp || key != HIST_OVERHEAD_CHILDREN ? cmp : cmp_depth(es->hist, a, b);
}

int hist_entries__cmp_numbers(const struct hist_entries *es, const struct hist_entry *a,
			      const struct hist_entry *b)
{
	const struct hist_config *cfg = &es->hist->cfg;
	int cmp = 0;

	if (cfg->is_by_fields)
		return 0;
	if (!cfg->keys_have_total)
		cmp = cmp_number(es, a, b, HIST_OVERHEAD_CHILDREN);
	return cmp || cfg->keys_have_share ? cmp : cmp_number(es, a, b, HIST_OVERHEAD);
}

static int cmp_key(const struct hist_entries *es, enum hist_key key, const struct hist_entry *a,
		   const struct hist_entry *b, bool by_place)
{
	const struct hist *h = es->hist;

	if (key < HIST_NUMBER_CNT)
		return by_place ? 0 : cmp_number(es, a, b, key);
	switch (key) {
	case HIST_COMM:
		return cmp_text(h, a->comm, b->comm);
	case HIST_PID:
	case HIST_TID:
		return (a->tid > b->tid) - (a->tid < b->tid);
	case HIST_CPU:
		return ((int32_t)a->cpu > (int32_t)b->cpu) - ((int32_t)a->cpu < (int32_t)b->cpu);
	case HIST_DSO:
		return cmp_dso(h, a->func, b->func);
	case HIST_SYM:
		return cmp_func(h, a->func, b->func, by_place);
	case HIST_SRCLINE:
		return cmp_text(h, a->srcline, b->srcline);
	case HIST_TRACE:
		return cmp_text(h, a->trace, b->trace);
	case HIST_SYM_SIZE:
		return cmp_u64(h->funcs[a->func].sz, h->funcs[b->func].sz);
	case HIST_DSO_SIZE:
		return cmp_u64(h->funcs[a->func].map_sz, h->funcs[b->func].map_sz);
	case HIST_EVENT:
		return 0;
	default:
		return hist_facts__cmp(h, key, a->facts, b->facts);
	}
}

/* Orders two entries that a key cannot order: they differ in it, or not. */
static int cmp_same(const struct hist *h, enum hist_key key, const struct hist_entry *a,
		    const struct hist_entry *b)
{
	if (key == HIST_SYM)
		return cmp_u64(a->func, b->func);
	if (!hist_facts__has(key))
		return 0;
	return cmp_u64(hist_facts__get(h, a->facts, key), hist_facts__get(h, b->facts, key));
}

int hist_entries__cmp_keys(const struct hist_entries *es, const struct hist_entry *a,
			   const struct hist_entry *b, uint32_t from, uint32_t to)
{
	const struct hist *h = es->hist;
	int cmp = 0, by_place;
	uint32_t i;

	for (by_place = 0; by_place < 2; by_place++)
		for (i = from; i < to && !cmp; i++)
			cmp = cmp_key(es, h->cfg.keys[i], a, b, by_place);
	for (i = from; i < to && !cmp; i++)
		cmp = cmp_same(h, h->cfg.keys[i], a, b);
	return cmp;
}

static int cmp_entries(const void *pa, const void *pb, void *ctx)
{
	const struct hist_entries *es = ctx;
	int cmp = hist_entries__cmp_numbers(es, pa, pb);

	return cmp ? cmp : hist_entries__cmp_keys(es, pa, pb, 0, es->hist->cfg.key_cnt);
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

int hist_entries__build(struct hist_entries *es, const struct hist *hist, uint32_t event,
			uint32_t event_cnt)
{
	size_t i;
	int err = 0;

	*es = (struct hist_entries){ .hist = hist, .event = event, .event_cnt = event_cnt };
	for (i = 0; i < hist->row_cnt && !err; i++)
		if (hist->rows[i].event >= event && hist->rows[i].event - event < event_cnt)
			err = add_row(es, (uint32_t)i);
	if (!err)
		err = order_refs(es);
	es->rest_cnt = es->cnt * (event_cnt - 1);
	/* From here on the lookup of entries by key is no longer needed. */
	u64map__free(&es->by_key);
	if (!err && es->cnt)
		qsort_r(es->all, es->cnt, sizeof(*es->all), cmp_entries, es);
	return err;
}

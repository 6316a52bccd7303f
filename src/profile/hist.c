// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/hist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/hist_facts.h"
#include "util/array.h"

void hist__init(struct hist *h, const struct hist_config *cfg)
{
	*h = (struct hist){ .cfg = *cfg };
}

void hist__free(struct hist *h)
{
	free(h->events);
	free(h->funcs);
	free(h->rows);
	free(h->frames);
	free(h->facts);
	u64map__free(&h->by_func);
	u64map__free(&h->by_row);
	u64map__free(&h->by_facts);
	texts__free(&h->texts);
	*h = (struct hist){ 0 };
}

bool hist__has_key(const struct hist_config *cfg, enum hist_key key)
{
	uint32_t i;

	for (i = 0; i < cfg->key_cnt; i++)
		if (cfg->keys[i] == key)
			return true;
	return false;
}

bool hist__has_lines(const struct hist_config *cfg)
{
	return cfg->by_address || cfg->is_blocks || hist__has_key(cfg, HIST_SRCLINE) ||
	       hist__has_key(cfg, HIST_SRCFILE) || hist__has_key(cfg, HIST_SRCLINE_FROM) ||
	       hist__has_key(cfg, HIST_SRCLINE_TO);
}

static bool has_key_of(const struct hist_config *cfg, enum hist_key from, enum hist_key to)
{
	uint32_t i;

	for (i = 0; i < cfg->key_cnt; i++)
		if (cfg->keys[i] >= from && cfg->keys[i] < to)
			return true;
	return false;
}

bool hist__needs_recording(const struct hist_config *cfg)
{
	return hist__has_lines(cfg) || has_key_of(cfg, HIST_SYM_SIZE, HIST_MAX_KEYS);
}

bool hist__has_mem_key(const struct hist_config *cfg)
{
	return has_key_of(cfg, HIST_MEMORY, HIST_BRANCH);
}

bool hist__has_branch_key(const struct hist_config *cfg)
{
	return has_key_of(cfg, HIST_BRANCH, HIST_MAX_KEYS);
}

int hist__set_events(struct hist *h, uint32_t cnt)
{
	struct hist_event *bigger;

	if (cnt <= h->event_cnt)
		return 0;
	bigger = realloc(h->events, cnt * sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	memset(bigger + h->event_cnt, 0, (cnt - h->event_cnt) * sizeof(*bigger));
	h->events = bigger;
	h->event_cnt = cnt;
	return 0;
}

static bool is_same_func(const struct hist_func *a, const struct hist_func *b)
{
	return a->name == b->name && a->dso == b->dso && a->addr == b->addr &&
	       a->is_inlined == b->is_inlined && a->is_mapped == b->is_mapped &&
	       a->level == b->level && a->is_place == b->is_place && a->ip == b->ip &&
	       a->line == b->line && a->sz == b->sz && a->map_sz == b->map_sz;
}

static uint32_t find_or_add_func(struct hist *h, const struct hist_func *func)
{
	uint64_t key =
		u64map__mix(func->addr ^ u64map__mix((uint64_t)func->name << 32 | func->dso)) +
		func->is_inlined + u64map__mix(func->ip + func->map_sz);
	uint32_t *slot;

	while ((slot = u64map__slot(&h->by_func, key)) && *slot != U64MAP_NONE) {
		if (is_same_func(&h->funcs[*slot], func))
			return *slot;
		key++;
	}
	if (!slot || h->func_cnt >= UINT32_MAX - 2)
		return UINT32_MAX;
	*slot = (uint32_t)h->func_cnt;
	if (array__reserve((void **)&h->funcs, &h->func_cap, h->func_cnt + 1, sizeof(*h->funcs))) {
		*slot = U64MAP_NONE;
		return UINT32_MAX;
	}
	h->funcs[h->func_cnt] = *func;
	if (!func->is_place || h->cfg.by_address)
		h->funcs[h->func_cnt].chain = *slot;
	if (!func->is_place)
		h->funcs[h->func_cnt].whole = *slot;
	return (uint32_t)h->func_cnt++;
}

uint32_t hist__func(struct hist *h, const struct hist_func *func)
{
	/* In callchains an inlined function is one function, wherever it was inlined. */
	const struct hist_func anywhere = {
		.name = func->name,
		.is_inlined = true,
		.is_mapped = true,
		.level = '.',
	};
	uint32_t idx, chain;

	if (!func->is_inlined)
		return find_or_add_func(h, func);
	chain = find_or_add_func(h, &anywhere);
	idx = chain == UINT32_MAX ? UINT32_MAX : find_or_add_func(h, func);
	if (idx != UINT32_MAX)
		h->funcs[idx].chain = chain;
	return idx;
}

uint32_t hist__func_at(struct hist *h, uint32_t whole, uint64_t ip, uint32_t line)
{
	struct hist_func func = h->funcs[whole];

	func.is_place = true;
	func.ip = ip;
	func.line = line;
	return find_or_add_func(h, &func);
}

uint32_t hist__func_in_map(struct hist *h, uint32_t func, uint64_t map_sz)
{
	struct hist_func like = h->funcs[func];
	uint32_t idx;

	like.map_sz = map_sz;
	idx = find_or_add_func(h, &like);
	/* In callchains it is one function, however much of its file is mapped. */
	if (idx != UINT32_MAX)
		h->funcs[idx].chain = like.chain;
	return idx;
}

/* A field that is not a sort key is cleared, so that it separates no samples. */
static int make_row(struct hist *h, const struct hist_sample *s, struct hist_row *row)
{
	const struct hist_config *cfg = &h->cfg;
	bool by_thread = hist__has_key(cfg, HIST_PID) || hist__has_key(cfg, HIST_TID);
	bool by_func = hist__has_key(cfg, HIST_SYM) || hist__has_key(cfg, HIST_DSO) ||
		       has_key_of(cfg, HIST_SYM_SIZE, HIST_FACTS);

	*row = (struct hist_row){
		.event = s->event,
		.comm = TEXTS_NONE,
		.trace = TEXTS_NONE,
		.self = by_func ? s->self : UINT32_MAX,
		.srcline = hist__has_key(cfg, HIST_SRCLINE) ? s->srcline : TEXTS_NONE,
		.cpu = hist__has_key(cfg, HIST_CPU) ? s->cpu : UINT32_MAX,
		.pid = by_thread ? s->pid : 0,
		.tid = by_thread ? s->tid : 0,
		.first_tid = s->tid,
		.first_addr = s->addr,
		.level = s->level,
		.mode = s->mode,
		.is_hidden = s->is_hidden,
		.frame_cnt = s->frame_cnt,
		.at = h->frame_cnt,
	};
	if (hist__has_key(cfg, HIST_COMM)) {
		row->comm = texts__add_escaped(&h->texts, s->comm, strlen(s->comm));
		if (row->comm == TEXTS_NONE)
			return -ENOMEM;
	}
	/* The record's printer has escaped the text already. */
	if (hist__has_key(cfg, HIST_TRACE)) {
		row->trace = texts__add(&h->texts, s->trace, s->trace_len);
		if (row->trace == TEXTS_NONE)
			return -ENOMEM;
	}
	if (s->facts) {
		row->facts = hist_facts__add(h, s->facts);
		if (row->facts == UINT32_MAX)
			return -ENOMEM;
	}
	return 0;
}

/* Appends the sample's frames behind those of the rows that are kept already. */
static int put_frames(struct hist *h, const struct hist_sample *s, struct hist_row *row)
{
	uint32_t i, n = s->frame_cnt;
	uint32_t *to;

	if (h->frame_cnt + n > HIST_MAX_FRAMES) {
		h->uprooted++;
		n = row->frame_cnt = 0;
	}
	if (!n)
		return 0;
	if (array__reserve((void **)&h->frames, &h->frame_cap, h->frame_cnt + n, sizeof(*to)))
		return -ENOMEM;
	to = h->frames + h->frame_cnt;
	for (i = 0; i < n; i++)
		to[i] = s->frames[h->cfg.is_caller ? n - 1 - i : i];
	return 0;
}

static uint64_t hash_row(const struct hist *h, const struct hist_row *r)
{
	uint64_t x = u64map__mix((uint64_t)r->event << 32 | r->comm);
	uint32_t i;

	x = u64map__mix(x ^ ((uint64_t)r->self << 32 | r->srcline));
	x = u64map__mix(x ^ ((uint64_t)r->cpu << 32 | (uint32_t)r->tid));
	x = u64map__mix(x ^ ((uint64_t)r->facts << 32 | r->trace));
	x ^= (unsigned char)r->level | (uint64_t)r->is_hidden << 8 | (uint64_t)r->mode << 9;
	for (i = 0; i < r->frame_cnt; i++)
		x = u64map__mix(x ^ h->frames[r->at + i]) + i;
	return x;
}

static bool is_same_row(const struct hist *h, const struct hist_row *a, const struct hist_row *b)
{
	return a->hash == b->hash && a->event == b->event && a->comm == b->comm &&
	       a->self == b->self && a->srcline == b->srcline && a->trace == b->trace &&
	       a->facts == b->facts && a->cpu == b->cpu && a->tid == b->tid && a->pid == b->pid &&
	       a->level == b->level && a->mode == b->mode && a->is_hidden == b->is_hidden &&
	       a->frame_cnt == b->frame_cnt &&
	       (!a->frame_cnt ||
		!memcmp(h->frames + a->at, h->frames + b->at, a->frame_cnt * sizeof(*h->frames)));
}

static struct hist_row *find_or_add_row(struct hist *h, const struct hist_row *row)
{
	uint64_t key = row->hash;
	uint32_t *slot;

	while ((slot = u64map__slot(&h->by_row, key)) && *slot != U64MAP_NONE) {
		if (is_same_row(h, &h->rows[*slot], row))
			return &h->rows[*slot];
		key++;
	}
	if (!slot || h->row_cnt >= UINT32_MAX - 2)
		return NULL;
	*slot = (uint32_t)h->row_cnt;
	if (array__reserve((void **)&h->rows, &h->row_cap, h->row_cnt + 1, sizeof(*h->rows))) {
		*slot = U64MAP_NONE;
		return NULL;
	}
	h->frame_cnt += row->frame_cnt;
	h->rows[h->row_cnt] = *row;
	return &h->rows[h->row_cnt++];
}

int hist__add(struct hist *h, const struct hist_sample *s)
{
	struct hist_row row, *kept;

	if (make_row(h, s, &row) || put_frames(h, s, &row))
		return -ENOMEM;
	row.hash = hash_row(h, &row);
	kept = find_or_add_row(h, &row);
	if (!kept)
		return -ENOMEM;
	kept->samples++;
	kept->period += s->period;
	h->events[s->event].samples++;
	h->events[s->event].period += s->period;
	return 0;
}

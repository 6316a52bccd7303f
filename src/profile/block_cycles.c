// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/block_cycles.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/hist_entries.h"
#include "profile/hist_facts.h"
#include "profile/hist_names.h"
#include "util/array.h"

/* Shares that differ by less are equal, in perf's order. */
#define SHARE_STEPS 100000.0

/* The block with this end, which is added if it is new. NULL: no memory. */
static struct code_block *block_of(struct block_cycles *b, const struct hist_addr *from)
{
	uint32_t *slot = u64map__slot(&b->by_end, (uint64_t)from->self << 32 | from->off);

	if (!slot || *slot != U64MAP_NONE)
		return slot ? &b->all[*slot] : NULL;
	if (b->cnt >= UINT32_MAX - 2 ||
	    array__reserve((void **)&b->all, &b->cap, b->cnt + 1, sizeof(*b->all)))
		return NULL;
	*slot = (uint32_t)b->cnt;
	b->all[b->cnt] = (struct code_block){
		.func = from->self,
		.end = from->off,
		.is_kernel = from->level == 'k',
		.place = from->place - from->off,
	};
	return &b->all[b->cnt++];
}

int block_cycles__add(struct block_cycles *b, const struct hist *hist, const struct hist_addr *from,
		      const struct hist_addr *since, unsigned int cycles)
{
	bool has_start = since && since->self == from->self && since->off < from->off;
	uint32_t start = has_start ? since->off : 0;
	struct code_block *block;

	if (!cycles || hist->funcs[from->self].name == TEXTS_NONE)
		return 0;
	block = block_of(b, from);
	if (!block)
		return -ENOMEM;
	block->all_cnt++;
	block->all_cycles += cycles;
	if (block->has_start && (!has_start || block->start < start))
		return 0;
	if (has_start && (!block->has_start || block->start > start))
		block->cycles = block->cnt = 0;
	block->has_start = has_start;
	block->start = start;
	block->cycles += cycles;
	block->cnt++;
	return 0;
}

/* Counts the lines of each function that is a target; NULL: no memory. */
static uint32_t *count_targets(const struct hist_entries *lines)
{
	const struct hist *h = lines->hist;
	uint32_t *cnt = calloc(h->func_cnt + 1, sizeof(*cnt));
	size_t i;

	for (i = 0; cnt && i < lines->cnt; i++) {
		uint64_t to = hist_facts__get(h, lines->all[i].facts, HIST_SYM_TO);

		if (to && to <= h->func_cnt)
			cnt[to - 1]++;
	}
	return cnt;
}

int block_cycles__select(struct block_cycles *b, const struct hist_entries *lines, uint64_t *sum)
{
	uint32_t *cnt = count_targets(lines);
	size_t i;

	*sum = 0;
	for (i = 0; cnt && i < b->cnt; i++) {
		struct code_block *block = &b->all[i];

		block->is_shown = cnt[block->func];
		*sum += cnt[block->func] * (block->all_cycles / block->all_cnt);
	}
	free(cnt);
	return cnt ? 0 : -ENOMEM;
}

struct order {
	const struct hist *hist;
	double total;
};

static int64_t steps(const struct order *o, const struct code_block *block)
{
	return o->total > 0 ? (int64_t)((double)block->all_cycles / o->total * SHARE_STEPS) : 0;
}

/* Blocks of equal shares are in perf's order: names backwards, then the smallest offset first. */
static int cmp_blocks(const void *pa, const void *pb, void *ctx)
{
	const struct code_block *a = pa, *b = pb;
	const struct order *o = ctx;
	const struct hist *h = o->hist;
	int64_t sa = steps(o, a), sb = steps(o, b);
	int cmp;

	if (sa != sb)
		return sa > sb ? -1 : 1;
	cmp = strcmp(texts__get(&h->texts, h->funcs[b->func].name),
		     texts__get(&h->texts, h->funcs[a->func].name));
	if (cmp)
		return cmp;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	return (a->func > b->func) - (a->func < b->func);
}

void block_cycles__sort(struct block_cycles *b, const struct hist *hist)
{
	struct order o = { .hist = hist, .total = (double)b->total };

	if (b->cnt)
		qsort_r(b->all, b->cnt, sizeof(*b->all), cmp_blocks, &o);
}

void block_cycles__free(struct block_cycles *b)
{
	free(b->all);
	u64map__free(&b->by_end);
	*b = (struct block_cycles){ .all = NULL };
}

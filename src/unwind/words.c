// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "unwind/words.h"
#include "util/partition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The output words while they are built. */
struct words {
	__u64 *rows;
	size_t cnt;
	uint64_t unknown; /* in place of the index of the unknown rule */
	/* no row may begin before this address: overlapping segments are damaged */
	uint64_t behind;
};

static void put_row(struct words *w, uint64_t off, uint64_t rule)
{
	if (off < w->behind || off >= UNWIND_SPAN_MAX)
		return;
	w->behind = off;
	if (!rule)
		rule = w->unknown;
	if (w->cnt && w->rows[w->cnt - 1] >> UNWIND_RULE_BITS == off)
		w->cnt--;
	/* A row holds until the next one. */
	if (w->cnt && (w->rows[w->cnt - 1] & UNWIND_RULE_MASK) == rule)
		return;
	w->rows[w->cnt++] = off << UNWIND_RULE_BITS | rule;
}

/* Finds the first row that begins after an address. */
static size_t first_behind(const struct unwind_table *t, uint64_t addr)
{
	return partition_point(0, t->row_cnt, i,
			       t->base + (t->rows[i] >> UNWIND_RULE_BITS) <= addr);
}

static bool is_sound(const struct unwind_segment *seg)
{
	return seg->sz && seg->off + seg->sz >= seg->off;
}

static void put_segment(struct words *w, const struct unwind_table *t,
			const struct unwind_segment *seg)
{
	size_t i = first_behind(t, seg->vaddr);

	if (!is_sound(seg))
		return;
	put_row(w, seg->off, i ? t->rows[i - 1] & UNWIND_RULE_MASK : 0);
	for (; i < t->row_cnt; i++) {
		uint64_t addr = t->base + (t->rows[i] >> UNWIND_RULE_BITS);

		if (addr - seg->vaddr >= seg->sz)
			break;
		put_row(w, seg->off + (addr - seg->vaddr), t->rows[i] & UNWIND_RULE_MASK);
	}
	put_row(w, seg->off + seg->sz, 0);
}

/* The number of rows that put_segment() makes of it at most. */
static size_t rows_of(const struct unwind_table *t, const struct unwind_segment *seg)
{
	uint64_t last = seg->vaddr + seg->sz - 1;

	if (!is_sound(seg))
		return 0;
	if (last < seg->vaddr)
		last = UINT64_MAX;
	return first_behind(t, last) - first_behind(t, seg->vaddr) + 2;
}

static int by_off(const void *a, const void *b)
{
	const struct unwind_segment *x = a, *y = b;

	return x->off < y->off ? -1 : x->off > y->off;
}

static int encode(struct words *w, const struct unwind_table *t, const struct unwind_segment *segs,
		  size_t seg_cnt, size_t max, __u64 **words, size_t *cnt)
{
	size_t sz = UNWIND_HEAD_WORDS + UNWIND_RULE_WORDS * t->rule_cnt, i;

	_Static_assert(sizeof(struct unwind_rule) == UNWIND_RULE_WORDS * sizeof(__u64),
		       "rules are whole words");
	for (i = 0; i < seg_cnt && sz <= max; i++)
		sz += rows_of(t, &segs[i]);
	if (sz > max)
		return -EFBIG;
	*words = malloc(sz * sizeof(**words));
	if (!*words)
		return -ENOMEM;
	w->rows = *words + UNWIND_HEAD_WORDS;
	for (i = 0; i < seg_cnt; i++)
		put_segment(w, t, &segs[i]);
	(*words)[0] = w->cnt;
	memcpy(w->rows + w->cnt, t->rules, t->rule_cnt * sizeof(*t->rules));
	*cnt = UNWIND_HEAD_WORDS + w->cnt + UNWIND_RULE_WORDS * t->rule_cnt;
	return 0;
}

__u64 *unwind_words__make(const struct unwind_table *t, size_t *cnt)
{
	struct unwind_segment segs[UNWIND_SEGMENTS_MAX];
	struct words w = { 0 };
	__u64 *words;

	memcpy(segs, t->segments, sizeof(segs));
	qsort(segs, t->segment_cnt, sizeof(*segs), by_off);
	return encode(&w, t, segs, t->segment_cnt, SIZE_MAX, &words, cnt) ? NULL : words;
}

int unwind_words__place(const struct unwind_table *t, const struct unwind_segment *segs,
			size_t seg_cnt, size_t max, __u64 **words, size_t *cnt)
{
	struct words w = { .unknown = UNWIND_NO_RULE_HERE };

	return encode(&w, t, segs, seg_cnt, max, words, cnt);
}

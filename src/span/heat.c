// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "span/heat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* A wider picture has more slices than a screen has columns for. */
#define SLICES_MAX 512
#define CELLS_MAX (1u << 20)

void span_heat__init(struct span_heat *h, uint64_t begin_ns, uint64_t slice_ns)
{
	*h = (struct span_heat){ .begin_ns = begin_ns, .slice_ns = slice_ns, .join_at = CELLS_MAX };
}

void span_heat__free(struct span_heat *h)
{
	free(h->at);
	memset(h, 0, sizeof(*h));
}

static int compare(const void *a, const void *b)
{
	const struct span_heat_cell *x = a, *y = b;

	if (x->slice != y->slice)
		return x->slice < y->slice ? -1 : 1;
	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return x->step < y->step ? -1 : x->step > y->step;
}

/* Joins the cells of one place. */
void span_heat__finish(struct span_heat *h)
{
	size_t i, cnt = 0;

	if (!h->cnt)
		return;
	qsort(h->at, h->cnt, sizeof(*h->at), compare);
	for (i = 0; i < h->cnt; i++) {
		if (cnt && !compare(&h->at[cnt - 1], &h->at[i]))
			h->at[cnt - 1].cnt += h->at[i].cnt;
		else
			h->at[cnt++] = h->at[i];
	}
	h->cnt = cnt;
}

static void halve(struct span_heat *h)
{
	size_t i;

	for (i = 0; i < h->cnt; i++)
		h->at[i].slice /= 2;
	h->slice_ns *= 2;
	h->slice_cnt = (h->slice_cnt + 1) / 2;
	span_heat__finish(h);
}

/*
 * Room for one more cell. Most durations fall into places that there are already: slices become
 * longer only if it is the places that are many.
 */
static void make_room(struct span_heat *h)
{
	if (h->cnt < h->join_at)
		return;
	span_heat__finish(h);
	while (h->cnt > CELLS_MAX / 2 && h->slice_cnt > 1)
		halve(h);
	/* One slice of many rows is not sorted for each of them. */
	h->join_at = h->cnt > CELLS_MAX / 2 ? h->cnt + CELLS_MAX / 2 : CELLS_MAX;
}

int span_heat__add(struct span_heat *h, uint64_t time_ns, uint64_t row, uint32_t bucket,
		   uint64_t cnt)
{
	uint64_t since = time_ns > h->begin_ns ? time_ns - h->begin_ns - 1 : 0;

	make_room(h);
	while (since / h->slice_ns >= SLICES_MAX)
		halve(h);
	if (h->cnt >= 2 * CELLS_MAX ||
	    array__reserve((void **)&h->at, &h->cap, h->cnt + 1, sizeof(*h->at)))
		return -ENOMEM;
	h->at[h->cnt++] = (struct span_heat_cell){
		.row = row,
		.slice = (uint32_t)(since / h->slice_ns),
		.step = bucket / SPAN_HEAT_STEPS,
		.cnt = cnt,
	};
	if (h->at[h->cnt - 1].slice >= h->slice_cnt)
		h->slice_cnt = h->at[h->cnt - 1].slice + 1;
	return 0;
}

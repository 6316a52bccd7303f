// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/text_memo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* Bytes of cached text; beyond that the cache is cleared. */
#define TEXT_MAX (32u << 20)

static void forget(struct text_memo *memo)
{
	strbuf__reset(&memo->texts);
	if (memo->cap)
		memset(memo->at, 0, memo->cap * sizeof(*memo->at));
}

void text_memo__free(struct text_memo *memo)
{
	strbuf__free(&memo->texts);
	free(memo->at);
	*memo = (struct text_memo){ 0 };
}

int text_memo__begin(struct text_memo *memo, uint32_t epoch, uint32_t idx)
{
	size_t cap = memo->cap;

	if (epoch != memo->epoch || memo->texts.len > TEXT_MAX)
		forget(memo);
	memo->epoch = epoch;
	if (array__reserve((void **)&memo->at, &memo->cap, (size_t)idx + 1, sizeof(*memo->at)))
		return -ENOMEM;
	if (memo->cap > cap)
		memset(memo->at + cap, 0, (memo->cap - cap) * sizeof(*memo->at));
	memo->at[idx].off = (uint32_t)memo->texts.len;
	return 0;
}

void text_memo__end(struct text_memo *memo, uint32_t idx)
{
	struct text_memo_entry *e = &memo->at[idx];

	e->len = (uint32_t)(memo->texts.len - e->off);
	e->is_there = true;
}

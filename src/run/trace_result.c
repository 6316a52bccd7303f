// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* From the kernel's cells to rows for the sink. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "run/agg_stacks.h"
#include "run/trace_predicates.h"
#include "session/trace_session.h"
#include "util/array.h"
#include "util/log.h"

_Static_assert(AGG_BUCKETS == WIRE_AGG_BUCKETS, "both sides have the same buckets");
_Static_assert(AGG_KEYS_MAX == AGG_PARTS_MAX, "each part of a key has a column");

struct cell {
	uint64_t key[WIRE_SITE_KEYS];
	uint64_t cnt;
	int64_t sum;
};

struct cells {
	struct cell *at;
	size_t cnt, cap, words; /* words: of the key, that count */
	struct agg_stacks *stacks; /* NULL: none is in the key */
};

static int add_cell(void *ctx, const uint64_t *key, uint64_t cnt, int64_t sum)
{
	struct cells *cells = ctx;
	struct cell *c;

	if (array__reserve((void **)&cells->at, &cells->cap, cells->cnt + 1, sizeof(*cells->at)))
		return -ENOMEM;
	c = &cells->at[cells->cnt++];
	memset(c, 0, sizeof(*c));
	memcpy(c->key, key, cells->words * sizeof(*key));
	if (cells->stacks)
		c->key[WIRE_KEY_STACK] = agg_stacks__same(cells->stacks, key[WIRE_KEY_STACK], cnt);
	c->cnt = cnt;
	c->sum = sum;
	return 0;
}

/* Rows of one key stand together, whatever the bucket. */
static int compare_keys(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;
	const size_t rest = sizeof(x->key) - WIRE_KEY_REST * sizeof(x->key[0]);

	if (x->key[WIRE_KEY_EVENT] != y->key[WIRE_KEY_EVENT])
		return x->key[WIRE_KEY_EVENT] < y->key[WIRE_KEY_EVENT] ? -1 : 1;
	return memcmp(x->key + WIRE_KEY_REST, y->key + WIRE_KEY_REST, rest);
}

static int fill_keys(const struct trace_predicates *code, const struct agg_stacks *stacks,
		     const struct cell *c, struct agg_row *row)
{
	const struct agg_event *ae = code->agg_events[c->key[WIRE_KEY_EVENT]];
	char *text;
	unsigned int i;

	/* Each text with a NUL of its own behind all its words. */
	row->texts = text = calloc(1, sizeof(c->key) + AGG_PARTS_MAX);
	if (!text)
		return -ENOMEM;
	for (i = 0; i < code->plan.part_cnt; i++) {
		const struct agg_part *part = &code->plan.parts[i];

		row->keys[i].num = (int64_t)c->key[part->at];
		if (part->is_stack) {
			row->keys[i].stack = agg_stacks__chain(stacks, c->key[part->at]);
			row->keys[i].stack_lost = c->key[part->at] == WIRE_STACK_LOST;
			continue;
		}
		row->keys[i].is_signed = agg_event__is_signed(ae, (int)i);
		if (agg_part__is_absent(part, c->key))
			row->keys[i].text = AGG_ABSENT_TEXT;
		if (!part->is_text)
			continue;
		memcpy(text, &c->key[part->at], 8u * part->words);
		row->keys[i].text = text;
		text += 8 * part->words + 1;
	}
	return 0;
}

/* A row of a new key. NULL: no memory. */
static struct agg_row *add_row(const struct trace_predicates *code, const struct agg_stacks *stacks,
			       const struct cell *c, struct agg_result *res)
{
	struct agg_row *row = &res->rows[res->row_cnt];

	memset(row, 0, sizeof(*row));
	row->ev = code->events->events[c->key[WIRE_KEY_EVENT]];
	row->sum_is_signed = agg_event__is_signed(code->agg_events[c->key[WIRE_KEY_EVENT]], -1);
	res->row_cnt++;
	if (res->hist)
		row->buckets = calloc(AGG_BUCKETS, sizeof(*row->buckets));
	if ((res->hist && !row->buckets) || fill_keys(code, stacks, c, row))
		return NULL;
	return row;
}

static int by_size(const void *a, const void *b)
{
	const struct agg_row *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	if (x->cnt != y->cnt)
		return x->cnt > y->cnt ? -1 : 1;
	return strcmp(x->ev->name, y->ev->name);
}

static int make_rows(const struct trace_predicates *code, struct cells *cells,
		     struct agg_result *res)
{
	struct agg_row *row = NULL;
	size_t i;

	qsort(cells->at, cells->cnt, sizeof(*cells->at), compare_keys);
	res->rows = calloc(cells->cnt + 1, sizeof(*res->rows));
	if (!res->rows)
		return -ENOMEM;
	for (i = 0; i < cells->cnt; i++) {
		const struct cell *c = &cells->at[i];

		if (!i || compare_keys(c - 1, c) != 0)
			row = add_row(code, cells->stacks, c, res);
		if (!row)
			return -ENOMEM;
		row->cnt += c->cnt;
		row->sum = (int64_t)((uint64_t)row->sum + (uint64_t)c->sum);
		res->total += c->cnt;
		if (row->buckets)
			row->buckets[c->key[WIRE_KEY_BUCKET] % AGG_BUCKETS] += c->cnt;
	}
	qsort(res->rows, res->row_cnt, sizeof(*res->rows), by_size);
	return 0;
}

int trace_predicates__result(const struct trace_predicates *code,
			     const struct trace_session *session, struct agg_stacks *stacks,
			     struct agg_result *res)
{
	struct cells cells = { .words = code->agg.mode & WIRE_AGG_BY ? code->agg.key_words
								     : WIRE_KEY_REST };
	size_t i;
	int err;

	memset(res, 0, sizeof(*res));
	if (code->agg.mode & WIRE_AGG_STACK)
		cells.stacks = stacks;
	for (i = 0; i < code->plan.part_cnt; i++) {
		res->key_names[i] = code->part_names[i];
		res->is_stack[i] = code->plan.parts[i].is_stack;
	}
	res->key_cnt = code->plan.part_cnt;
	res->value = code->plan.weights ? "weight" : code->plan.value;
	res->sum = code->agg.mode & WIRE_AGG_SUM;
	res->hist = code->agg.mode & WIRE_AGG_HIST;
	res->not_counted = trace_session__not_counted(session);
	res->no_value = trace_session__no_value(session);
	err = trace_session__aggregates(session, add_cell, &cells);
	if (!err)
		err = make_rows(code, &cells, res);
	if (err)
		log_error("cannot read the counts: %s", strerror(-err));
	free(cells.at);
	return err;
}

void agg_result__free(struct agg_result *res)
{
	size_t i;

	for (i = 0; i < res->row_cnt; i++) {
		free(res->rows[i].buckets);
		free(res->rows[i].texts);
	}
	free(res->rows);
	memset(res, 0, sizeof(*res));
}

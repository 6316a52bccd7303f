// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* From the kernel's cells to rows of durations. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run/agg_stacks.h"
#include "run/latency_pairs.h"
#include "session/trace_session.h"
#include "sym/sym.h"
#include "util/array.h"
#include "util/log.h"
#include "util/u64map.h"

_Static_assert(AGG_KEYS_MAX == AGG_PARTS_MAX, "each part of a key has a column");

struct latency_cell {
	uint64_t row[WIRE_SPAN_ROW]; /* the words that rows do not have are 0 */
	struct span_cell sum;
};

struct reading {
	struct latency_cells *cells;
	size_t words; /* of a row */
	struct agg_stacks *stacks; /* NULL: rows have none */
};

static int add_cell(void *ctx, const uint64_t *row, const struct span_cell *sum)
{
	struct reading *r = ctx;
	struct latency_cells *cells = r->cells;
	struct latency_cell *c;

	if (array__reserve((void **)&cells->at, &cells->cap, cells->cnt + 1, sizeof(*cells->at)))
		return -ENOMEM;
	c = &cells->at[cells->cnt++];
	memset(c, 0, sizeof(*c));
	memcpy(c->row, row, r->words * sizeof(*row));
	if (r->stacks)
		c->row[WIRE_SPAN_STACK] =
			agg_stacks__same(r->stacks, row[WIRE_SPAN_STACK], sum->cnt);
	c->sum = *sum;
	return 0;
}

static bool same_row(const struct latency_cell *x, const struct latency_cell *y)
{
	return x->row[WIRE_SPAN_PAIR] == y->row[WIRE_SPAN_PAIR] &&
	       memcmp(x->row + WIRE_SPAN_REST, y->row + WIRE_SPAN_REST,
		      sizeof(x->row) - WIRE_SPAN_REST * sizeof(x->row[0])) == 0;
}

/* The buckets of one row stand together, in ascending order. */
static int compare_cells(const void *a, const void *b)
{
	const struct latency_cell *x = a, *y = b;
	int rest = memcmp(x->row + WIRE_SPAN_REST, y->row + WIRE_SPAN_REST,
			  sizeof(x->row) - WIRE_SPAN_REST * sizeof(x->row[0]));

	if (x->row[WIRE_SPAN_PAIR] != y->row[WIRE_SPAN_PAIR])
		return x->row[WIRE_SPAN_PAIR] < y->row[WIRE_SPAN_PAIR] ? -1 : 1;
	if (rest)
		return rest;
	if (x->row[WIRE_SPAN_BUCKET] != y->row[WIRE_SPAN_BUCKET])
		return x->row[WIRE_SPAN_BUCKET] < y->row[WIRE_SPAN_BUCKET] ? -1 : 1;
	return 0;
}

/* Is a number of that part signed, in the event that has it? */
static bool is_signed(const struct latency_pairs *p, unsigned int pair, unsigned int part)
{
	size_t i;

	for (i = 0; i < p->events.cnt; i++) {
		if (p->ends[i].role && p->ends[i].pair == pair &&
		    span_role__is_signed(p->ends[i].role, part))
			return true;
		if (p->starts[i].role && p->starts[i].pair == pair &&
		    span_role__is_signed(p->starts[i].role, part))
			return true;
	}
	return false;
}

/* Names the kernel's function at an address; the name is valid as long as the stacks. */
static const char *function_at(const struct agg_stacks *stacks, uint64_t addr)
{
	struct sym *sym = stacks->callstacks.sym;
	struct sym_result res;

	sym__kernel(sym, sym__kernel_place(sym, addr), &res);
	return res.name;
}

/* Is the field a pointer to a function of the kernel: of work, or of a timer? */
static bool is_function(const struct agg_part *part)
{
	const char *at = memchr(part->name, '.', part->name_len);
	size_t len = at ? part->name_len - (size_t)(at + 1 - part->name) : part->name_len;

	return len == 8 && !strncmp(at ? at + 1 : part->name, "function", len);
}

static int fill_keys(const struct latency_pairs *p, const struct agg_stacks *stacks,
		     const struct latency_cell *c, struct span_row *row)
{
	unsigned int pair = (unsigned int)c->row[WIRE_SPAN_PAIR], i;
	char *text;

	/* Each text with a NUL of its own behind all its words. */
	row->texts = text = calloc(1, sizeof(c->row) + AGG_PARTS_MAX);
	if (!text)
		return -ENOMEM;
	for (i = 0; i < p->plan.part_cnt; i++) {
		const struct agg_part *part = &p->plan.parts[i];

		row->keys[i].num = (int64_t)c->row[part->at];
		if (part->is_stack) {
			row->keys[i].stack = agg_stacks__chain(stacks, c->row[part->at]);
			row->keys[i].stack_lost = c->row[part->at] == WIRE_STACK_LOST;
			continue;
		}
		row->keys[i].is_signed = is_signed(p, pair, i);
		if (!part->is_text && is_function(part))
			row->keys[i].text = function_at(stacks, c->row[part->at]);
		if (agg_part__is_absent(part, c->row))
			row->keys[i].text = AGG_ABSENT_TEXT;
		if (!part->is_text)
			continue;
		memcpy(text, &c->row[part->at], 8u * part->words);
		row->keys[i].text = text;
		text += 8 * part->words + 1;
	}
	return 0;
}

/* The format file of the event that starts the pair. */
static const char *format_of(const struct latency_pairs *p, unsigned int pair)
{
	size_t i;

	for (i = 0; i < p->events.cnt; i++)
		if (p->starts[i].role && p->starts[i].pair == pair)
			return p->events.events[i]->fmt->text;
	return "";
}

/* The name of a row without --by: "syscalls:read". */
static int name_own(const struct latency_pairs *p, const struct agg_stacks *stacks,
		    unsigned int pair_idx, uint64_t own, struct span_row *row)
{
	const struct pair *pair = &p->pairs[pair_idx];
	struct strbuf sb = STRBUF_INIT;
	const char *function;

	if (!pair->own)
		return 0;
	strbuf__printf(&sb, "%s:", pair->name);
	function = pair->own_is_function ? function_at(stacks, own) : NULL;
	if (function)
		strbuf__puts(&sb, function);
	else if (pair->put_own)
		pair->put_own(&sb, own, format_of(p, pair_idx));
	else
		strbuf__put_s64(&sb, (int64_t)own);
	row->own_name = strdup(strbuf__cstr(&sb));
	strbuf__free(&sb);
	row->name = row->own_name;
	return row->own_name ? 0 : -ENOMEM;
}

uint64_t latency_row__id(const uint64_t *row)
{
	uint64_t id = u64map__mix(row[WIRE_SPAN_PAIR]);
	unsigned int w;

	for (w = WIRE_SPAN_REST; w < WIRE_SPAN_ROW; w++)
		id = u64map__mix(id ^ row[w]);
	return id;
}

static struct span_row *add_row(const struct latency_pairs *p, const struct agg_stacks *stacks,
				const struct latency_cell *c, struct span_result *res)
{
	unsigned int pair_idx = (unsigned int)c->row[WIRE_SPAN_PAIR] % WIRE_SPAN_PAIRS;
	const struct pair *pair = &p->pairs[pair_idx];
	struct span_row *row = &res->rows[res->row_cnt++];
	int err;

	memset(row, 0, sizeof(*row));
	row->name = row->pair = pair->name;
	row->id = latency_row__id(c->row);
	err = p->has_own ? name_own(p, stacks, pair_idx, c->row[p->plan.parts[0].at], row)
			 : fill_keys(p, stacks, c, row);
	return err ? NULL : row;
}

/* Adds up cells of one row and bucket, which stand together. */
static void merge_cells(struct latency_cells *cells)
{
	size_t i, last = 0;

	for (i = 1; i < cells->cnt; i++) {
		struct latency_cell *to = &cells->at[last], *c = &cells->at[i];

		if (compare_cells(to, c) != 0) {
			cells->at[++last] = *c;
			continue;
		}
		to->sum.cnt += c->sum.cnt;
		to->sum.ns += c->sum.ns;
		if (c->sum.max_ns > to->sum.max_ns)
			to->sum.max_ns = c->sum.max_ns;
	}
	if (cells->cnt)
		cells->cnt = last + 1;
}

int latency_cells__read(struct latency_cells *cells, const struct latency_pairs *p,
			const struct trace_session *session, struct agg_stacks *stacks)
{
	struct reading r = {
		.cells = cells,
		.words = p->plan.key_words,
		.stacks = latency_pairs__by_stack(p) ? stacks : NULL,
	};
	int err = span_maps__read(session, add_cell, &r);

	if (err) {
		log_error("cannot read the durations: %s", strerror(-err));
		return err;
	}
	latency_cells__finish(cells);
	merge_cells(cells);
	return 0;
}

int latency_cells__put(struct latency_cells *cells, const struct latency_pairs *p, uint64_t *row,
		       unsigned int pair, uint64_t ns)
{
	struct reading r = { .cells = cells, .words = p->plan.key_words };
	uint64_t key = 0;
	struct latency_cell *c;
	uint32_t *slot;
	size_t i;

	row[WIRE_SPAN_PAIR] = pair;
	row[WIRE_SPAN_BUCKET] = wire_span_bucket(ns);
	for (i = 0; i < r.words; i++)
		key = u64map__mix(key ^ row[i]);
	slot = u64map__slot(&cells->by_row, key);
	if (!slot)
		return -ENOMEM;
	if (*slot == U64MAP_NONE) {
		*slot = (uint32_t)cells->cnt;
		if (add_cell(&r, row, &(struct span_cell){}))
			return -ENOMEM;
	}
	c = &cells->at[*slot];
	c->sum.cnt++;
	c->sum.ns += ns;
	if (ns > c->sum.max_ns)
		c->sum.max_ns = ns;
	return 0;
}

void latency_cells__finish(struct latency_cells *cells)
{
	if (cells->cnt)
		qsort(cells->at, cells->cnt, sizeof(*cells->at), compare_cells);
	u64map__free(&cells->by_row);
}

void latency_cells__free(struct latency_cells *cells)
{
	u64map__free(&cells->by_row);
	free(cells->at);
	*cells = (struct latency_cells){};
}

/* Cells are only added to, and none is removed: returns what one had before. */
static struct span_cell read_before(const struct latency_cells *before,
				    const struct latency_cell *c)
{
	const struct latency_cell *old = NULL;

	if (before && before->cnt)
		old = bsearch(c, before->at, before->cnt, sizeof(*c), compare_cells);
	return old ? old->sum : (struct span_cell){};
}

int latency_cells__add_heat(const struct latency_cells *cells, const struct latency_cells *before,
			    uint64_t time_ns, struct span_heat *heat)
{
	int err = 0;
	size_t i;

	for (i = 0; i < cells->cnt && !err; i++) {
		const struct latency_cell *c = &cells->at[i];
		uint64_t cnt = c->sum.cnt - read_before(before, c).cnt;

		if (cnt)
			err = span_heat__add(heat, time_ns, latency_row__id(c->row),
					     (uint32_t)c->row[WIRE_SPAN_BUCKET], cnt);
	}
	if (err)
		log_error("cannot keep the durations over time: %s", strerror(-err));
	return err;
}

static int make_rows(const struct latency_pairs *p, const struct latency_cells *cells,
		     const struct latency_cells *before, const struct agg_stacks *stacks,
		     struct span_result *res)
{
	const struct latency_cell *last = NULL;
	struct span_row *row = NULL;
	size_t i;

	res->rows = calloc(cells->cnt + 1, sizeof(*res->rows));
	if (!res->rows)
		return -ENOMEM;
	for (i = 0; i < cells->cnt; i++) {
		const struct latency_cell *c = &cells->at[i];
		const struct span_cell old = read_before(before, c);

		if (c->sum.cnt == old.cnt)
			continue;
		if (!last || !same_row(last, c))
			row = add_row(p, stacks, c, res);
		last = c;
		if (!row || span_hist__add(&row->hist, (uint32_t)c->row[WIRE_SPAN_BUCKET],
					   c->sum.cnt - old.cnt, c->sum.ns - old.ns, c->sum.max_ns))
			return -ENOMEM;
	}
	span_result__finish(res);
	return 0;
}

int latency_pairs__result(const struct latency_pairs *p, const struct latency_cells *cells,
			  const struct latency_cells *before, const struct agg_stacks *stacks,
			  struct span_result *res)
{
	unsigned int i;
	int err;

	memset(res, 0, sizeof(*res));
	res->key_cnt = p->has_own ? 0 : p->plan.part_cnt;
	for (i = 0; i < res->key_cnt; i++) {
		res->key_names[i] = p->part_names[i];
		res->is_stack[i] = p->plan.parts[i].is_stack;
	}
	err = make_rows(p, cells, before, stacks, res);
	if (err)
		log_error("cannot sum the durations up: %s", strerror(-err));
	return err;
}

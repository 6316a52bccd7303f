// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The rows of the live view: their values, their order, and the lines of the screen. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sink/top.h"
#include "util/array.h"

struct top_row *top__row(const struct top *top, uint32_t idx)
{
	return top->mode == TOP_STACKS  ? &top->stacks[idx]
	       : top->mode == TOP_WAITS ? &top->wait_rows[idx]
					: &top->funcs[idx];
}

double top__self(const struct top *top, const struct top_row *row)
{
	return top->all ? (double)row->self : row->recent_self;
}

double top__total(const struct top *top, const struct top_row *row)
{
	return top->all ? (double)row->total : row->recent_total;
}

double top__whole(const struct top *top)
{
	double whole = top->all ? (double)top->sum : top->recent;

	return whole > 0 ? whole : 1;
}

const char *top__wait_name(const struct top *top, uint32_t idx)
{
	const struct profile *p = &top->profile;
	uint32_t func = top->waits[idx].func;

	return func == TEXTS_NONE ? "-" : profile__text(p, p->funcs[func].name);
}

static double value_of(const struct top *top, uint32_t idx)
{
	const struct top_row *row = top__row(top, idx);

	return top->sort == TOP_BY_SELF ? top__self(top, row) : top__total(top, row);
}

static int cmp_rows(const void *a, const void *b, void *ctx)
{
	const struct top *top = ctx;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	double x = value_of(top, i), y = value_of(top, k);

	if (x < y || x > y)
		return x > y ? -1 : 1;
	/* Equal rows keep their order from screen to screen. */
	return i < k ? -1 : i > k;
}

/* Checks whether a stack's thread or one of its functions has the filter's text in its name. */
static bool stack_passes(struct top *top, const struct profile_stack *st)
{
	struct profile *p = &top->profile;
	const uint32_t *funcs;
	uint16_t cnt;
	size_t i;

	if (strstr(profile__text(p, st->group[0]), top->filter))
		return true;
	for (i = 0; i < profile_stack__depth(st); i++) {
		funcs = profile__funcs(p, p->frames[st->at + i], &cnt);
		while (funcs && cnt--)
			if (strstr(profile__text(p, p->funcs[funcs[cnt]].name), top->filter))
				return true;
	}
	return false;
}

/* Checks the names that are in the row of a wait: function, file, state and call. */
static bool wait_passes(const struct top *top, uint32_t idx)
{
	const struct profile *p = &top->profile;
	const struct top_wait *w = &top->waits[idx];

	return strstr(top__wait_name(top, idx), top->filter) ||
	       strstr(profile__text(p, w->state), top->filter) ||
	       strstr(profile__text(p, w->call), top->filter) ||
	       (w->func != TEXTS_NONE &&
		strstr(profile__text(p, p->funcs[w->func].module), top->filter));
}

static bool passes(struct top *top, uint32_t idx)
{
	const struct profile *p = &top->profile;

	if (!top->filter[0])
		return true;
	if (top->mode == TOP_WAITS)
		return wait_passes(top, idx);
	if (top->mode == TOP_FUNCTIONS)
		return strstr(profile__text(p, p->funcs[idx].name), top->filter);
	return stack_passes(top, &p->stacks[idx]);
}

/* Returns the number of rows. Stacks that arrived after the last tick have none yet. */
static size_t row_cnt(const struct top *top)
{
	size_t cnt = top->mode == TOP_STACKS  ? top->profile.stack_cnt
		     : top->mode == TOP_WAITS ? top->wait_cnt
					      : top->profile.func_cnt;
	size_t cap = top->mode == TOP_STACKS  ? top->stack_cap
		     : top->mode == TOP_WAITS ? top->wait_row_cap
					      : top->func_cap;

	return cnt < cap ? cnt : cap;
}

int top__sort_rows(struct top *top)
{
	size_t cnt = row_cnt(top);
	/* Less than a twentieth of a sample, or a microsecond, is no longer shown. */
	double least = top->view.is_ns && !top->all ? 1000 : 0.05;
	uint32_t *bigger, i;

	if (cnt > top->order_cap) {
		bigger = realloc(top->order, cnt * sizeof(*bigger));
		if (!bigger)
			return -ENOMEM;
		top->order = bigger;
		top->order_cap = cnt;
	}
	top->order_cnt = 0;
	for (i = 0; i < cnt; i++)
		if (value_of(top, i) >= least && passes(top, i))
			top->order[top->order_cnt++] = i;
	if (top->order_cnt)
		qsort_r(top->order, top->order_cnt, sizeof(*top->order), cmp_rows, top);
	return 0;
}

int top__put_line(struct top *top, uint32_t at, uint32_t sub, const char *text)
{
	size_t off = top->below.len;

	if (array__reserve((void **)&top->lines, &top->line_cap, top->line_cnt + 1,
			   sizeof(*top->lines)))
		return -ENOMEM;
	if (text) {
		strbuf__add(&top->below, text, strlen(text));
		strbuf__putc(&top->below, '\0');
	}
	top->lines[top->line_cnt++] = (struct top_line){ at, sub, off };
	return 0;
}

void top__select(struct top *top, size_t line)
{
	top->selected = line < top->line_cnt ? line : top->line_cnt ? top->line_cnt - 1 : 0;
	if (!top->line_cnt)
		return;
	top->follow.row = top->order[top->lines[top->selected].at];
	top->follow.sub = top->lines[top->selected].sub;
}

/*
 * Keeps the selection on its line, which may have moved up or down since the last screen. The top
 * of the list stays selected, whichever row is there.
 */
static void follow(struct top *top)
{
	size_t i, to = top->selected;

	for (i = 0; to && i < top->line_cnt; i++) {
		const struct top_line *line = &top->lines[i];

		if (top->order[line->at] == top->follow.row && line->sub <= top->follow.sub)
			top->selected = i;
	}
	top__select(top, top->selected);
}

int top__lay_out(struct top *top)
{
	int err = top__sort_rows(top);
	uint32_t at;

	top->line_cnt = 0;
	strbuf__reset(&top->below);
	for (at = 0; at < top->order_cnt && !err; at++) {
		err = top__put_line(top, at, 0, NULL);
		if (!err && top__row(top, top->order[at])->unfolded == top->opened)
			err = top__unfold(top, at);
	}
	follow(top);
	top->stale = false;
	return err;
}

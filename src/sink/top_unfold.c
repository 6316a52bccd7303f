// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The lines below an unfolded row of the live view. A stack has its functions, one a line. A
 * function or a wait has the paths to its callers ('<'), and a wait before these the paths into the
 * kernel ('>'); paths of several stacks are merged, and split where they differ.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_wait.h"
#include "sink/top.h"
#include "util/array.h"

/* Maximum number of lines below a row, and of functions that are read of a stack. */
#define LINES_MAX 200
#define FUNCS_MAX 2048
/* Columns by which a branch, and a line that continues another, is indented. */
#define INDENT 2
/* A branch deeper than this is not indented further. */
#define INDENTS_MAX 8

/* A step of the merged paths: a function, or at the end of a path of callers its thread. */
struct step {
	uint32_t func; /* index into profile.funcs; TEXTS_NONE: a thread */
	uint32_t group[2];
	uint32_t child, next; /* indexes of steps; 0: none */
	double value;
};

struct unfolder {
	struct top *top;
	uint32_t at, sub;
	size_t columns; /* in front of the names */
	const char *sign; /* in front of each name */
	struct step *steps; /* the first one is the row's function */
	size_t cnt, cap;
	uint32_t funcs[FUNCS_MAX];
	struct strbuf line;
	size_t width; /* of the line so far, in characters */
};

static int put_line(struct unfolder *u)
{
	int err = 0;

	if (u->sub + 1 == LINES_MAX) {
		strbuf__reset(&u->line);
		strbuf__printf(&u->line, "%*s...", (int)u->columns, "");
	}
	if (u->sub < LINES_MAX)
		err = top__put_line(u->top, u->at, ++u->sub, strbuf__cstr(&u->line));

	strbuf__reset(&u->line);
	return err;
}

/* Returns the step behind `from` that is equal to *key, added if it is new. 0: no memory. */
static uint32_t next_step(struct unfolder *u, uint32_t from, const struct step *key)
{
	uint32_t i;

	for (i = u->steps[from].child; i; i = u->steps[i].next)
		if (u->steps[i].func == key->func && u->steps[i].group[0] == key->group[0] &&
		    u->steps[i].group[1] == key->group[1])
			return i;
	if (array__reserve((void **)&u->steps, &u->cap, u->cnt + 1, sizeof(*u->steps)))
		return 0;
	i = (uint32_t)u->cnt++;
	u->steps[i] = *key;
	u->steps[i].next = u->steps[from].child;
	u->steps[from].child = i;
	return i;
}

static uint32_t add_step(struct unfolder *u, uint32_t from, const struct step *key, double value)
{
	uint32_t i = next_step(u, from, key);

	if (i)
		u->steps[i].value += value;
	return i;
}

/*
 * Adds the functions from `from` on, `cnt` of them, in this direction. Returns the last step.
 * TEXTS_NONE: no memory.
 */
static uint32_t add_funcs(struct unfolder *u, size_t from, size_t cnt, int direction, double value)
{
	uint32_t at = 0;

	for (; cnt--; from += (size_t)direction) {
		const struct step key = { u->funcs[from], { TEXTS_NONE, TEXTS_NONE }, 0, 0, 0 };

		at = add_step(u, at, &key, value);
		if (!at)
			return TEXTS_NONE;
	}
	return at;
}

/*
 * Finds the row's function in a stack; its functions are in u->funcs then, *at is the position of
 * the row's function. False: the stack does not belong to the row.
 */
static bool read_stack(struct unfolder *u, uint32_t i, size_t *at, size_t *cnt)
{
	struct profile *p = &u->top->profile;
	const struct profile_stack *st = &p->stacks[i];
	const struct top_row *row = &u->top->stacks[i];
	uint32_t idx = u->top->order[u->at];
	struct profile_wait w = { .func = TEXTS_NONE, .path = row->path, .entry = st->kern_cnt };

	if (u->top->mode == TOP_WAITS) {
		if (row->wait != idx + 1 || profile_wait__read(p, st, &w))
			return false;
		*cnt = profile_wait__functions(p, st, &w, u->funcs, FUNCS_MAX, at);
		return true;
	}
	*cnt = profile_wait__functions(p, st, &w, u->funcs, FUNCS_MAX, at);
	for (*at = 0; *at < *cnt; ++*at)
		if (u->funcs[*at] == idx)
			return true;
	return false;
}

/* Merges the row's stacks into u->steps; inward: the paths into the kernel. 0 or -ENOMEM. */
static int merge_stacks(struct unfolder *u, bool inward)
{
	struct top *top = u->top;
	uint32_t i, last;

	u->cnt = 0;
	if (array__reserve((void **)&u->steps, &u->cap, 1, sizeof(*u->steps)))
		return -ENOMEM;
	u->steps[u->cnt++] = (struct step){ .func = TEXTS_NONE };
	for (i = 0; i < top->profile.stack_cnt && i < top->stack_cap; i++) {
		const struct profile_stack *st = &top->profile.stacks[i];
		struct step thread = { TEXTS_NONE, { st->group[0], st->group[1] }, 0, 0, 0 };
		double value = top__self(top, &top->stacks[i]);
		size_t at, cnt;

		/* The first one of equal stacks has the value of all. */
		if (top->stacks[i].like != i + 1 || value < 0.05 || !read_stack(u, i, &at, &cnt))
			continue;
		last = inward     ? add_funcs(u, at - 1, at, -1, value)
		       : at < cnt ? add_funcs(u, at + 1, cnt - at - 1, 1, value)
				  : 0;
		if (last == TEXTS_NONE || (!inward && !add_step(u, last, &thread, value)))
			return -ENOMEM;
		u->steps[0].value += value;
	}
	return 0;
}

/* Sorts the steps behind `from`, the largest first. */
static void sort_children(struct unfolder *u, uint32_t from)
{
	uint32_t i = u->steps[from].child, next, *to;

	u->steps[from].child = 0;
	for (; i; i = next) {
		next = u->steps[i].next;
		for (to = &u->steps[from].child; *to && u->steps[*to].value > u->steps[i].value;)
			to = &u->steps[*to].next;
		u->steps[i].next = *to;
		*to = i;
	}
}

static void indent(struct unfolder *u, size_t levels)
{
	u->width = u->columns + INDENT * (levels < INDENTS_MAX ? levels : INDENTS_MAX);
	strbuf__printf(&u->line, "%*s", (int)(u->width - u->line.len), "");
}

/* Begins the line of a branch with its share, unless it is all of the row. */
static void begin_branch(struct unfolder *u, const struct step *step, size_t levels)
{
	if (step->value < u->steps[0].value) {
		strbuf__printf(&u->line, "%*s %6.2f%%", (int)(u->columns - 20), "",
			       step->value * 100 / top__whole(u->top));
		top__put_value(u->top, &u->line, step->value);
	}
	indent(u, levels);
}

static void put_step_name(struct unfolder *u, const struct step *step, struct strbuf *sb)
{
	const struct profile *p = &u->top->profile;

	if (step->func != TEXTS_NONE) {
		strbuf__printf(sb, "%s %s", u->sign, profile__text(p, p->funcs[step->func].name));
		return;
	}
	strbuf__printf(sb, "(%s", profile__text(p, step->group[0]));
	if (step->group[1] != TEXTS_NONE)
		strbuf__printf(sb, " %s", profile__text(p, step->group[1]));
	strbuf__putc(sb, ')');
}

static size_t count_chars(const char *text)
{
	size_t cnt = 0;

	for (; *text; text++)
		cnt += ((unsigned char)*text & 0xc0) != 0x80;
	return cnt;
}

/* Puts a step behind those of the line, or on a line of its own if there is no room. */
static int put_step(struct unfolder *u, const struct step *step, size_t levels, bool first)
{
	struct strbuf name = STRBUF_INIT;
	size_t len;
	int err = 0;

	put_step_name(u, step, &name);
	len = count_chars(strbuf__cstr(&name));
	if (!first && u->width + 1 + len > u->top->width) {
		err = put_line(u);
		indent(u, levels + 1);
		first = true;
	}
	if (!first)
		strbuf__putc(&u->line, ' ');
	strbuf__puts(&u->line, strbuf__cstr(&name));
	u->width += len + !first;
	strbuf__free(&name);
	return err;
}

/* Puts the branches behind a step, each with the steps up to its next fork. */
static int put_branches(struct unfolder *u, uint32_t from, size_t levels)
{
	uint32_t branch, i;
	int err = 0;

	sort_children(u, from);
	for (branch = u->steps[from].child; branch && !err && u->sub < LINES_MAX;
	     branch = u->steps[branch].next) {
		begin_branch(u, &u->steps[branch], levels);
		i = branch;
		err = put_step(u, &u->steps[i], levels, true);
		while (!err && u->steps[i].child && !u->steps[u->steps[i].child].next) {
			i = u->steps[i].child;
			err = put_step(u, &u->steps[i], levels, false);
		}
		if (!err)
			err = put_line(u);
		if (!err)
			err = put_branches(u, i, levels + 1);
	}
	return err;
}

/* A stack's functions, without those that are folded, one a line. */
static int put_stack(struct unfolder *u)
{
	struct profile *p = &u->top->profile;
	const struct profile_stack *st = &p->stacks[u->top->order[u->at]];
	size_t i, depth = profile_stack__depth(st);
	const uint32_t *funcs;
	uint16_t cnt;
	int err = 0;

	for (i = 0; i < depth && !err; i++) {
		funcs = profile__funcs(p, p->frames[st->at + i], &cnt);
		while (funcs && cnt-- && !err) {
			const struct profile_func *f = &p->funcs[funcs[cnt]];
			const char *module = profile__text(p, f->module);

			strbuf__printf(&u->line, "%22s%s", "", profile__text(p, f->name));
			if (*module)
				strbuf__printf(&u->line, "  (%s)", module);
			err = put_line(u);
		}
	}
	return err;
}

int top__unfold(struct top *top, uint32_t at)
{
	struct unfolder *u = calloc(1, sizeof(*u));
	int err = 0;

	if (!u)
		return -ENOMEM;
	u->top = top;
	u->at = at;
	u->columns = top->mode == TOP_FUNCTIONS ? TOP_FUNCTION_COLUMNS : TOP_VALUE_COLUMNS;
	if (top->mode == TOP_STACKS)
		err = put_stack(u);
	u->sign = ">";
	if (top->mode == TOP_WAITS)
		err = merge_stacks(u, true) ?: put_branches(u, 0, 0);
	u->sign = "<";
	if (!err && top->mode != TOP_STACKS)
		err = merge_stacks(u, false) ?: put_branches(u, 0, 0);
	strbuf__free(&u->line);
	free(u->steps);
	free(u);
	return err;
}

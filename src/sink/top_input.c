// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The keys of the live view. */
#include <stdio.h>
#include <string.h>

#include "sink/top.h"
#include "util/term.h"

static void type(struct top *top, int key)
{
	size_t len = strlen(top->filter);

	if (key == TERM_ENTER) {
		top->typing = false;
	} else if (key == TERM_ESC) {
		top->typing = false;
		top->filter[0] = '\0';
	} else if (key == TERM_BACKSPACE) {
		if (len)
			top->filter[len - 1] = '\0';
	} else if (key >= 0x20 && key < 0x100 && len + 1 < sizeof(top->filter)) {
		top->filter[len] = (char)key;
		top->filter[len + 1] = '\0';
	}
	top->selected = top->first = 0;
}

static void set_mode(struct top *top, enum top_mode mode)
{
	top->mode = mode;
	top->opened++;
	top->selected = top->first = 0;
	top->stale = true;
}

static enum top_mode next_mode(const struct top *top)
{
	return top->mode == TOP_WAITS       ? TOP_FUNCTIONS
	       : top->mode == TOP_FUNCTIONS ? TOP_STACKS
	       : top->view.has_off          ? TOP_WAITS
					    : TOP_FUNCTIONS;
}

/* Shows or hides the lines below the row of the selected line, and selects the row. */
static void unfold(struct top *top, bool unfolded)
{
	const struct top_line *line = &top->lines[top->selected];

	top__row(top, top->order[line->at])->unfolded = unfolded ? top->opened : 0;
	top__select(top, top->selected - line->sub);
	top->stale = true;
}

/* Opens the row: a function's stacks, else the lines below the row. */
static void open_row(struct top *top)
{
	const struct profile *p = &top->profile;
	uint32_t idx = top->order[top->lines[top->selected].at];

	if (top->mode != TOP_FUNCTIONS) {
		unfold(top, top__row(top, idx)->unfolded != top->opened);
		return;
	}
	snprintf(top->filter, sizeof(top->filter), "%s", profile__text(p, p->funcs[idx].name));
	set_mode(top, TOP_STACKS);
}

static void move(struct top *top, int key, size_t height)
{
	size_t page = height > TOP_HEAD_LINES + 1 ? height - TOP_HEAD_LINES - 1 : 1;
	size_t at = top->selected;

	switch (key) {
	case TERM_UP:
		at -= at > 0;
		break;
	case TERM_DOWN:
		at++;
		break;
	case TERM_PAGE_UP:
		at = at > page ? at - page : 0;
		break;
	case TERM_PAGE_DOWN:
		at += page;
		break;
	case TERM_HOME:
		at = 0;
		break;
	case TERM_END:
		at = SIZE_MAX;
		break;
	default:
		return;
	}
	top__select(top, at);
}

/* Handles a key that is about a line. Keys may come before the screen is drawn anew. */
static void handle_line(struct top *top, int key, size_t height)
{
	if ((top->stale && top__lay_out(top)) || !top->line_cnt)
		return;
	if (key == TERM_ENTER)
		open_row(top);
	else if (key == TERM_RIGHT || key == TERM_LEFT)
		unfold(top, key == TERM_RIGHT);
	else
		move(top, key, height);
}

/* Handles a key that chooses what is shown. False: it is no such key. */
static bool choose_view(struct top *top, int key)
{
	switch (key) {
	case 'f':
		set_mode(top, TOP_FUNCTIONS);
		return true;
	case 'k':
		set_mode(top, TOP_STACKS);
		return true;
	case 'w':
		if (top->view.has_off)
			set_mode(top, TOP_WAITS);
		return true;
	case '\t':
		set_mode(top, next_mode(top));
		return true;
	case 's':
	case 't':
		top->sort = key == 's' ? TOP_BY_SELF : TOP_BY_TOTAL;
		break;
	case 'r':
		top->all = !top->all;
		break;
	case 'z':
		top__restart(top);
		break;
	case '/':
		top->typing = true;
		top->filter[0] = '\0';
		break;
	case TERM_ESC:
		top->filter[0] = '\0';
		top->help = false;
		break;
	default:
		return false;
	}
	top->stale = true;
	return true;
}

bool top__key(struct top *top, int key, size_t height)
{
	if (top->typing) {
		type(top, key);
		top->stale = true;
		return key == TERM_GONE;
	}
	if (choose_view(top, key))
		return false;
	switch (key) {
	case 'q':
	case TERM_GONE:
		return true;
	case ' ':
		top->paused = !top->paused;
		break;
	case '?':
		top->help = !top->help;
		break;
	default:
		handle_line(top, key, height);
	}
	return false;
}

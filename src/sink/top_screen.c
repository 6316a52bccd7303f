// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The screen of the live view, and its keys. */
#include <stdio.h>
#include <string.h>

#include "sink/top.h"
#include "util/mono.h"
#include "util/term.h"

#define HEAD_LINES 3

static const char *const help_lines[] = {
	"q           quit",
	"f  k  Tab   functions, stacks, switch between the two",
	"s  t        sort by self, by total",
	"r           the last seconds, or all since the start",
	"z           start anew",
	"space       hold the screen, continue",
	"arrows      move; Page Up, Page Down, Home, End",
	"Enter       of a function: its stacks; of a stack: its functions",
	"/           only names that contain a text; Esc: all",
	"?           these keys",
};
#define HELP_CNT (sizeof(help_lines) / sizeof(help_lines[0]))

struct screen {
	struct strbuf *sb;
	size_t width, height;
	size_t lines; /* number of lines so far */
};

/* Returns the length of the part of a UTF-8 text that fits into `width` columns. */
static size_t fit(const char *text, size_t width)
{
	size_t len = 0;

	for (; text[len]; len++) {
		if (((unsigned char)text[len] & 0xc0) == 0x80)
			continue;
		if (!width--)
			break;
	}
	return len;
}

/* Puts a whole line; sgr: its attributes, "" for plain. Lines below the window are dropped. */
static void put_line(struct screen *s, const char *sgr, const char *text)
{
	if (s->lines == s->height)
		return;
	/* The last line has no newline: it would scroll the screen. */
	if (s->lines++)
		strbuf__puts(s->sb, "\r\n");
	if (*sgr)
		strbuf__printf(s->sb, "\033[%sm", sgr);
	strbuf__add(s->sb, text, fit(text, s->width));
	if (*sgr)
		strbuf__puts(s->sb, "\033[0m");
	strbuf__puts(s->sb, "\033[K");
}

static void put_head(struct top *top, struct screen *s)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf__printf(&sb, "bpfperf stack --top  %s  %.0f s  %llu samples  %llu lost", top->title,
		       (double)(mono_ns() - top->begin_ns) / 1e9,
		       (unsigned long long)profile__samples(&top->profile),
		       (unsigned long long)top->lost);
	if (profile__truncated(&top->profile))
		strbuf__printf(&sb, "  %llu truncated",
			       (unsigned long long)profile__truncated(&top->profile));
	if (top->restarts)
		strbuf__printf(&sb, "  started anew %llu times at %d stacks",
			       (unsigned long long)top->restarts, TOP_MAX_STACKS);
	put_line(s, top->color ? "1" : "", strbuf__cstr(&sb));
	strbuf__reset(&sb);
	strbuf__printf(&sb, "%s by %s, %s%s%s%s%s    ? keys  q quit",
		       top->mode == TOP_STACKS ? "stacks" : "functions",
		       top->sort == TOP_BY_SELF || top->mode == TOP_STACKS ? "self" : "total",
		       top->all ? "since the start" : "the last seconds",
		       top->paused ? ", held" : "", top->filter[0] || top->typing ? "  /" : "",
		       top->filter, top->typing ? "_" : "");
	put_line(s, "", strbuf__cstr(&sb));
	strbuf__reset(&sb);
	strbuf__printf(
		&sb, "%s %9s  %s", top->mode == TOP_STACKS ? "    share" : "     self     total",
		top->view.is_ns       ? "time"
		: top->view.by_weight ? "events"
				      : "samples",
		top->mode == TOP_STACKS ? "thread: function < its caller < ..." : "function");
	put_line(s, top->color ? "7" : "", strbuf__cstr(&sb));
	strbuf__free(&sb);
}

/* The hotter a row, the stronger its style. */
static const char *style_of(const struct top *top, double share, bool selected)
{
	if (!top->color)
		return "";
	if (selected)
		return "7";
	return share >= 0.2 ? "1;31" : share >= 0.05 ? "33" : "";
}

static void put_names(struct top *top, const struct profile_stack *st, struct strbuf *sb,
		      size_t width)
{
	struct profile *p = &top->profile;
	const char *sep = ": ";
	const uint32_t *funcs;
	uint16_t cnt;
	size_t i;

	/* Several events may have the same stack. */
	if (p->event_cnt > 1)
		strbuf__printf(sb, "%s  ", profile__text(p, p->events[st->event].name));
	strbuf__puts(sb, profile__text(p, st->group[0]));
	/* Innermost first: if the line is full, the outermost functions are missing. */
	for (i = 0; i < profile_stack__depth(st) && sb->len < 4 * width; i++) {
		funcs = profile__funcs(p, p->frames[st->at + i], &cnt);
		while (funcs && cnt--) {
			strbuf__puts(sb, sep);
			strbuf__puts(sb, profile__text(p, p->funcs[funcs[cnt]].name));
			sep = " < ";
		}
	}
	if (st->truncated)
		strbuf__puts(sb, " < [truncated]");
}

/* Puts the functions of the selected stack, one per line. */
static void put_frames(struct top *top, const struct profile_stack *st, struct screen *s)
{
	struct profile *p = &top->profile;
	struct strbuf sb = STRBUF_INIT;
	const uint32_t *funcs;
	uint16_t cnt;
	size_t i;

	for (i = 0; i < profile_stack__depth(st) && s->lines < s->height; i++) {
		funcs = profile__funcs(p, p->frames[st->at + i], &cnt);
		while (funcs && cnt--) {
			const struct profile_func *f = &p->funcs[funcs[cnt]];

			strbuf__reset(&sb);
			strbuf__printf(&sb, "                      %s  (%s)",
				       profile__text(p, f->name), profile__text(p, f->module));
			put_line(s, top->color ? "2" : "", strbuf__cstr(&sb));
		}
	}
	strbuf__free(&sb);
}

static void put_value(const struct top *top, struct strbuf *sb, double value)
{
	struct strbuf text = STRBUF_INIT;

	profile_view__put_value(&top->view, (uint64_t)(value + 0.5), &text);
	strbuf__printf(sb, " %9s  ", strbuf__cstr(&text));
	strbuf__free(&text);
}

static void put_row(struct top *top, struct screen *s, size_t at)
{
	bool is_stack = top->mode == TOP_STACKS, selected = at == top->selected;
	uint32_t idx = top->order[at];
	const struct top_row *row = is_stack ? &top->stacks[idx] : &top->funcs[idx];
	double whole = top->all ? (double)top->sum : top->recent;
	double self = top->all ? (double)row->self : row->recent_self;
	double total = top->all ? (double)row->total : row->recent_total;
	struct strbuf sb = STRBUF_INIT;

	whole = whole > 0 ? whole : 1;
	/* The mark is for terminals without colour. */
	strbuf__putc(&sb, selected ? '>' : ' ');
	strbuf__printf(&sb, " %6.2f%%", self * 100 / whole);
	if (!is_stack)
		strbuf__printf(&sb, "  %6.2f%%", total * 100 / whole);
	put_value(top, &sb, is_stack || top->sort == TOP_BY_SELF ? self : total);
	if (is_stack)
		put_names(top, &top->profile.stacks[idx], &sb, s->width);
	else
		strbuf__printf(&sb, "%s  %s",
			       profile__text(&top->profile, top->profile.funcs[idx].name),
			       profile__text(&top->profile, top->profile.funcs[idx].module));
	put_line(s, style_of(top, (top->sort == TOP_BY_SELF ? self : total) / whole, selected),
		 strbuf__cstr(&sb));
	if (is_stack && selected && top->expanded)
		put_frames(top, &top->profile.stacks[idx], s);
	strbuf__free(&sb);
}

/* Scrolls so that the selected row is within the window. */
static void scroll(struct top *top, size_t rows)
{
	if (top->selected >= top->order_cnt)
		top->selected = top->order_cnt ? top->order_cnt - 1 : 0;
	if (top->selected < top->first)
		top->first = top->selected;
	if (rows && top->selected >= top->first + rows)
		top->first = top->selected - rows + 1;
	/* The stack's functions are shown below it. */
	if (top->expanded && top->mode == TOP_STACKS)
		top->first = top->selected;
}

int top__draw(struct top *top, struct strbuf *sb, size_t width, size_t height)
{
	struct screen s = { .sb = sb, .width = width, .height = height };
	size_t i;
	int err = top__sort_rows(top);

	if (err)
		return err;
	scroll(top, height > HEAD_LINES ? height - HEAD_LINES : 0);
	strbuf__reset(sb);
	strbuf__puts(sb, "\033[H");
	put_head(top, &s);
	for (i = 0; top->help && i < HELP_CNT; i++)
		put_line(&s, "", help_lines[i]);
	if (!top->order_cnt && !top->help)
		put_line(&s, "", top->filter[0] ? "no name contains this text" : "no samples yet");
	for (i = top->first; i < top->order_cnt && s.lines < height; i++)
		put_row(top, &s, i);
	strbuf__puts(sb, "\033[J");
	return 0;
}

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
	top->selected = top->first = 0;
	top->expanded = false;
}

/* Opens the row: a function's stacks, or a stack's functions. */
static void open_row(struct top *top)
{
	const struct profile *p = &top->profile;

	if (top->mode == TOP_STACKS) {
		top->expanded = !top->expanded;
	} else if (top->selected < top->order_cnt) {
		snprintf(top->filter, sizeof(top->filter), "%s",
			 profile__text(p, p->funcs[top->order[top->selected]].name));
		set_mode(top, TOP_STACKS);
	}
}

static void move(struct top *top, int key, size_t height)
{
	size_t page = height > HEAD_LINES + 1 ? height - HEAD_LINES - 1 : 1;
	size_t last = top->order_cnt ? top->order_cnt - 1 : 0, at = top->selected;

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
		at = last;
		break;
	default:
		return;
	}
	top->selected = at < last ? at : last;
}

bool top__key(struct top *top, int key, size_t height)
{
	if (top->typing) {
		type(top, key);
		return key == TERM_GONE;
	}
	switch (key) {
	case 'q':
	case TERM_GONE:
		return true;
	case 'f':
		set_mode(top, TOP_FUNCTIONS);
		break;
	case 'k':
		set_mode(top, TOP_STACKS);
		break;
	case '\t':
		set_mode(top, top->mode == TOP_STACKS ? TOP_FUNCTIONS : TOP_STACKS);
		break;
	case 's':
		top->sort = TOP_BY_SELF;
		break;
	case 't':
		top->sort = TOP_BY_TOTAL;
		break;
	case 'r':
		top->all = !top->all;
		break;
	case 'z':
		top__restart(top);
		break;
	case ' ':
		top->paused = !top->paused;
		break;
	case '/':
		top->typing = true;
		top->filter[0] = '\0';
		break;
	case TERM_ESC:
		top->filter[0] = '\0';
		top->help = false;
		break;
	case TERM_ENTER:
		open_row(top);
		break;
	case '?':
		top->help = !top->help;
		break;
	default:
		move(top, key, height);
	}
	return false;
}

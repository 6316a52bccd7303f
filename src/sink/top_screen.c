// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The screen of the live view. */
#include <stdio.h>
#include <string.h>

#include "sink/top.h"
#include "util/mono.h"
#include "util/path.h"

static const char *const help_lines[] = {
	"q           quit",
	"f  k  Tab   functions, stacks, switch between the views",
	"w           waits: functions with their state and call (--off-cpu)",
	"s  t        sort by self, by total",
	"r           the last seconds, or all since the start",
	"z           start anew",
	"space       hold the screen, continue",
	"up down     move; Page Up, Page Down, Home, End",
	"right left  unfold the row: its callers (<), and of a wait its path into",
	"            the kernel (>), of a stack its functions; fold it",
	"Enter       of a function: its stacks; of a wait or stack: unfold, fold",
	"/           only names that contain a text; Esc: all",
	"?           these keys",
};
#define HELP_CNT (sizeof(help_lines) / sizeof(help_lines[0]))

struct screen {
	struct strbuf *sb;
	size_t width, height;
	size_t lines; /* number of lines so far */
	size_t state_width, call_width; /* columns of the waits */
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

/* Describes what is shown. */
static void put_view(const struct top *top, struct strbuf *sb)
{
	static const char *const modes[] = {
		[TOP_FUNCTIONS] = "functions", [TOP_STACKS] = "stacks", [TOP_WAITS] = "waits"
	};

	strbuf__printf(
		sb, "%s by %s, %s%s%s%s%s    right unfolds  ? keys  q quit", modes[top->mode],
		top->mode == TOP_WAITS                                ? "time"
		: top->sort == TOP_BY_SELF || top->mode == TOP_STACKS ? "self"
								      : "total",
		top->all ? "since the start" : "the last seconds", top->paused ? ", held" : "",
		top->filter[0] || top->typing ? "  /" : "", top->filter, top->typing ? "_" : "");
}

static void put_titles(const struct top *top, const struct screen *s, struct strbuf *sb)
{
	strbuf__printf(sb, "%s %9s  ",
		       top->mode == TOP_FUNCTIONS ? "     self     total" : "    share",
		       top->view.is_ns       ? "time"
		       : top->view.by_weight ? "events"
					     : "samples");
	if (top->mode == TOP_WAITS)
		strbuf__printf(sb, "%-*s  %-*s  function", (int)s->state_width, "state",
			       (int)s->call_width, "call");
	else
		strbuf__puts(sb, top->mode == TOP_STACKS ? "thread: function < its caller < ..."
							 : "function");
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
	put_view(top, &sb);
	put_line(s, "", strbuf__cstr(&sb));
	strbuf__reset(&sb);
	put_titles(top, s, &sb);
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

static void put_names(struct top *top, uint32_t idx, struct strbuf *sb, size_t width)
{
	struct profile *p = &top->profile;
	const struct profile_stack *st = &p->stacks[idx];
	const struct top_row *row = &top->stacks[idx];
	const char *sep = ": ";
	const uint32_t *funcs;
	uint16_t cnt;
	size_t i;

	/* Several events may have the same stack. */
	if (p->event_cnt > 1)
		strbuf__printf(sb, "%s  ", profile__text(p, p->events[st->event].name));
	strbuf__puts(sb, profile__text(p, st->group[0]));
	/* The state is the last frame before those of the thread; a waker comes before it. */
	i = row->own ? row->own - 1u : row->path;
	/* Innermost first: if the line is full, the outermost functions are missing. */
	for (; i < profile_stack__depth(st) && sb->len < 4 * width; i++) {
		if (i >= row->own && i < row->path)
			continue;
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

/* Puts what the line of a wait has behind its values. */
static void put_wait(struct top *top, const struct screen *s, uint32_t idx, struct strbuf *sb)
{
	const struct profile *p = &top->profile;
	const struct top_wait *w = &top->waits[idx];
	const char *module;

	strbuf__printf(sb, "%-*s  %-*s  %s", (int)s->state_width, profile__text(p, w->state),
		       (int)s->call_width, profile__text(p, w->call), top__wait_name(top, idx));
	if (w->func == TEXTS_NONE || !p->funcs[w->func].is_named)
		return;
	module = p->funcs[w->func].kern ? "[kernel]" : profile__text(p, p->funcs[w->func].module);
	strbuf__printf(sb, "  %s", path__base(module));
}

void top__put_value(const struct top *top, struct strbuf *sb, double value)
{
	struct strbuf text = STRBUF_INIT;

	profile_view__put_value(&top->view, (uint64_t)(value > 0 ? value + 0.5 : 0), &text);
	strbuf__printf(sb, " %9s  ", strbuf__cstr(&text));
	strbuf__free(&text);
}

static void put_row(struct top *top, struct screen *s, uint32_t idx, bool selected)
{
	const struct top_row *row = top__row(top, idx);
	double whole = top__whole(top), self = top__self(top, row), total = top__total(top, row);
	double sorted = top->sort == TOP_BY_SELF ? self : total;
	struct strbuf sb = STRBUF_INIT;

	/* The mark is for terminals without colour. */
	strbuf__putc(&sb, selected ? '>' : ' ');
	strbuf__printf(&sb, " %6.2f%%", self * 100 / whole);
	if (top->mode == TOP_FUNCTIONS)
		strbuf__printf(&sb, "  %6.2f%%", total * 100 / whole);
	top__put_value(top, &sb, sorted);
	if (top->mode == TOP_STACKS)
		put_names(top, idx, &sb, s->width);
	else if (top->mode == TOP_WAITS)
		put_wait(top, s, idx, &sb);
	else
		strbuf__printf(&sb, "%s  %s",
			       profile__text(&top->profile, top->profile.funcs[idx].name),
			       profile__text(&top->profile, top->profile.funcs[idx].module));
	put_line(s, style_of(top, sorted / whole, selected), strbuf__cstr(&sb));
	strbuf__free(&sb);
}

/* Puts a line below a row, with the mark if it is selected. */
static void put_below(struct top *top, struct screen *s, const struct top_line *line, bool selected)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf__puts(&sb, top->below.buf + line->off);
	if (selected && sb.len)
		sb.buf[0] = '>';
	put_line(s, !top->color ? "" : selected ? "7" : "2", strbuf__cstr(&sb));
	strbuf__free(&sb);
}

/* Returns the number of lines below the row of a line, and sets *head to the row's line. */
static size_t lines_below(const struct top *top, size_t line, size_t *head)
{
	size_t end = line + 1;

	while (end < top->line_cnt && top->lines[end].sub)
		end++;
	*head = line - top->lines[line].sub;
	return end - *head - 1;
}

/*
 * Scrolls so that the selected line is within the window, and of a row that is unfolded the lines
 * below it as far as they fit.
 */
static void scroll(struct top *top, size_t rows)
{
	size_t last = top->selected, head, cnt;

	if (top->selected < top->first)
		top->first = top->selected;
	if (!rows || !top->line_cnt)
		return;
	cnt = lines_below(top, top->selected, &head);
	if (head == top->selected)
		last = head + (cnt < rows ? cnt : rows - 1);
	if (last >= top->first + rows)
		top->first = last - rows + 1;
}

/* Fits the columns of the waits to the rows that are shown. */
static void fit_columns(const struct top *top, struct screen *s)
{
	const struct profile *p = &top->profile;
	size_t i, len;

	s->state_width = strlen("preempted");
	s->call_width = strlen("call");
	for (i = top->first; i < top->line_cnt && i < top->first + s->height; i++) {
		const struct top_wait *w = &top->waits[top->order[top->lines[i].at]];

		len = strlen(profile__text(p, w->state));
		s->state_width = len > s->state_width ? len : s->state_width;
		len = strlen(profile__text(p, w->call));
		s->call_width = len > s->call_width ? len : s->call_width;
	}
}

int top__draw(struct top *top, struct strbuf *sb, size_t width, size_t height)
{
	struct screen s = { .sb = sb, .width = width, .height = height };
	size_t i;
	int err;

	top->width = width;
	err = top__lay_out(top);
	if (err)
		return err;
	scroll(top, height > TOP_HEAD_LINES ? height - TOP_HEAD_LINES : 0);
	if (top->mode == TOP_WAITS)
		fit_columns(top, &s);
	strbuf__reset(sb);
	strbuf__puts(sb, "\033[H");
	put_head(top, &s);
	for (i = 0; top->help && i < HELP_CNT; i++)
		put_line(&s, "", help_lines[i]);
	if (!top->order_cnt && !top->help)
		put_line(&s, "", top->filter[0] ? "no name contains this text" : "no samples yet");
	for (i = top->first; i < top->line_cnt && s.lines < height; i++) {
		const struct top_line *line = &top->lines[i];

		if (line->sub)
			put_below(top, &s, line, i == top->selected);
		else
			put_row(top, &s, top->order[line->at], i == top->selected);
	}
	strbuf__puts(sb, "\033[J");
	return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The live view of `stack --top`: the currently hottest functions and stacks, and with time off the
 * CPU the waits. It is a sink that passes everything on to the sink of a file, if there is one;
 * top__draw() makes the screen.
 */
#ifndef BPFPERF_SINK_TOP_H
#define BPFPERF_SINK_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sink/profile_sink.h"
#include "profile/profile_view.h"

/* A profile with more distinct stacks is restarted, which the screen shows. */
#define TOP_MAX_STACKS 50000

enum top_mode { TOP_FUNCTIONS, TOP_STACKS, TOP_WAITS };
enum top_sort { TOP_BY_SELF, TOP_BY_TOTAL };

/* A row: a function, a stack or a wait. Self and total are equal but for functions. */
struct top_row {
	double recent_self, recent_total; /* values that decay each second */
	uint64_t self, total; /* values since the beginning */
	uint64_t seen; /* of a stack: its value at the last tick */
	uint64_t ongoing; /* of a stack: time of the absences that have not ended */
	uint64_t stamp; /* of a function: the last stack that was added to it */
	uint32_t
		/*
		 * of a stack: 1 + the first stack with the same functions, which has the row; 0:
		 * unknown
		 */
		like;
	uint32_t wait; /* of a stack, with time off the CPU: 1 + its wait; 0: unknown */
	/* of a stack: its frames [own, path) are scheduler and generic waits, which are folded */
	uint16_t own, path;
	uint32_t unfolded; /* top.opened: details are shown below the row */
};

/* The stacks with one function, state and call: see struct profile_wait. */
struct top_wait {
	uint32_t func, state, call;
};

/* A line of the screen below its head. */
struct top_line {
	uint32_t at; /* its row, an index into top.order */
	uint32_t sub; /* 0: the row itself; else its number among the lines below the row */
	size_t off; /* of a line below a row: its text, in top.below */
};

struct top {
	struct profile profile;
	struct sink *file; /* or NULL; owned by the sink */
	const char *title; /* description of the sampled targets; not owned */
	struct top_row *funcs, *stacks; /* indexed like the profile's */
	struct top_row *wait_rows; /* indexed like waits */
	struct top_wait *waits;
	size_t func_cap, stack_cap, wait_row_cap, wait_cnt, wait_cap;
	struct u64map by_wait; /* hash of a wait → its index */
	struct u64map by_funcs; /* hash of a stack's functions → the first stack with them */
	uint64_t stamp;
	/* The value shown: samples or, on request, weights; time if some of it is off the CPU. */
	struct profile_view view;
	double recent; /* sum of the rows' recent values */
	uint64_t sum;
	uint64_t lost, begin_ns, restarts;
	/* Settings of the user. */
	enum top_mode mode;
	enum top_sort sort;
	bool all; /* show values since the beginning, else recent ones */
	bool paused, help, color;
	bool typing; /* a filter is being typed */
	char filter[64]; /* substring of function names; "": no filter */
	uint32_t opened; /* number of times that a view was opened, which folds all rows */
	size_t selected, first; /* line numbers */
	struct {
		uint32_t row, sub;
	} follow; /* the selected line, which may have moved in the next screen */
	/* Rows of the last screen, sorted: indexes into funcs, stacks or waits. */
	uint32_t *order;
	size_t order_cnt, order_cap;
	/* The rows, and the lines below those that are unfolded. */
	struct top_line *lines;
	size_t line_cnt, line_cap;
	struct strbuf below; /* texts of the lines below rows, each ended by a NUL */
	size_t width; /* of the last screen */
	bool stale; /* a key has changed which lines there are */
};

/*
 * Returns a sink with a view: `file` (may be NULL) receives all calls and is freed with it. NULL:
 * ENOMEM.
 */
struct sink *top__new(struct sink *file, const struct sink_config *cfg, const char *title);
struct top *top__of(struct sink *sink);
/*
 * Between top__begin_ongoing() and the next top__tick(): adds absences that have not ended, as
 * samples of time off the CPU up to now. They replace those of the previous tick. 0 or -errno.
 */
void top__begin_ongoing(struct top *top);
int top__add_ongoing(struct top *top, const struct sample *s);
/* Updates the rows; call it once per second. 0 or -ENOMEM. */
int top__tick(struct top *top);
/* Clears all samples. */
void top__restart(struct top *top);
/*
 * Draws the whole screen into sb (emptied first) for a window of this size, in characters. 0 or
 * -ENOMEM.
 */
int top__draw(struct top *top, struct strbuf *sb, size_t width, size_t height);
/* Handles a key (term.h): true if the user wants to quit. */
bool top__key(struct top *top, int key, size_t height);

/* For the files of the screen: */

/* Number of lines above the rows. */
#define TOP_HEAD_LINES 3
/* Columns of a row before its names: mark, share and value; of a function, two shares. */
#define TOP_VALUE_COLUMNS 21
#define TOP_FUNCTION_COLUMNS 30

/* Sorts the rows into top->order. 0 or -ENOMEM. */
int top__sort_rows(struct top *top);
/* Returns a row of the current mode; idx is from top->order. */
struct top_row *top__row(const struct top *top, uint32_t idx);
/* Returns a row's value as it is shown: recent, or since the start. */
double top__self(const struct top *top, const struct top_row *row);
double top__total(const struct top *top, const struct top_row *row);
/* Returns the sum that shares are of, above 0. */
double top__whole(const struct top *top);
/* Returns the text of a wait's function, "-" if it has none. */
const char *top__wait_name(const struct top *top, uint32_t idx);
/* Puts a value in a column of TOP_VALUE_COLUMNS that begins behind a share. */
void top__put_value(const struct top *top, struct strbuf *sb, double value);
/* Sorts the rows and makes top->lines of them. 0 or -ENOMEM. */
int top__lay_out(struct top *top);
/* Selects a line of top->lines, or the last one. */
void top__select(struct top *top, size_t line);
/* Appends the lines below row `at` of top->order to top->lines. 0 or -ENOMEM. */
int top__unfold(struct top *top, uint32_t at);
/* Appends a line to top->lines; text is NULL for the row itself. 0 or -ENOMEM. */
int top__put_line(struct top *top, uint32_t at, uint32_t sub, const char *text);

#endif

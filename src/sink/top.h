/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The live view of `stack --top`: the currently hottest functions and stacks. It is a sink that
 * passes everything on to the sink of a file, if there is one; top__draw() makes the screen.
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

enum top_mode { TOP_FUNCTIONS, TOP_STACKS };
enum top_sort { TOP_BY_SELF, TOP_BY_TOTAL };

/* A row: a function or a stack. Self and total of a stack are equal. */
struct top_row {
	double recent_self, recent_total; /* values that decay each second */
	uint64_t self, total; /* values since the beginning */
	uint64_t seen; /* of a stack: its value at the last tick */
	uint64_t stamp; /* of a function: the last stack that was added to it */
	uint32_t
		/*
		 * of a stack: 1 + the first stack with the same functions, which has the row; 0:
		 * unknown
		 */
		like;
};

struct top {
	struct profile profile;
	struct sink *file; /* or NULL; owned by the sink */
	const char *title; /* description of the sampled targets; not owned */
	struct top_row *funcs, *stacks; /* indexed like the profile's */
	size_t func_cap, stack_cap;
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
	size_t selected, first; /* row numbers */
	bool expanded; /* the selected stack is shown frame by frame */
	/* Rows of the last screen, sorted: indexes into funcs or stacks. */
	uint32_t *order;
	size_t order_cnt, order_cap;
};

/*
 * Returns a sink with a view: `file` (may be NULL) receives all calls and is freed with it. NULL:
 * ENOMEM.
 */
struct sink *top__new(struct sink *file, const struct sink_config *cfg, const char *title);
struct top *top__of(struct sink *sink);
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

/* For top_screen.c: sorts the rows into top->order. 0 or -ENOMEM. */
int top__sort_rows(struct top *top);

#endif

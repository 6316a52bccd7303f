/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The live view of `stack --top`: what is hot now, by function and by stack.
 * A sink like others, that hands everything on to one that writes a file
 * where there is one; what the screen shows is asked for by top__draw().
 */
#ifndef BPFPERF_SINK_TOP_H
#define BPFPERF_SINK_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sink/profile_sink.h"
#include "profile/profile_view.h"

/* A profile with more different stacks than these is begun anew, which the screen tells. */
#define TOP_MAX_STACKS 50000

enum top_mode { TOP_FUNCTIONS, TOP_STACKS };
enum top_sort { TOP_BY_SELF, TOP_BY_TOTAL };

/* Of a function or a stack. A stack's self and total are the same. */
struct top_row {
	double recent_self, recent_total; /* values, each second worth less than the one before */
	uint64_t self, total; /* values since the beginning */
	uint64_t seen; /* of a stack: what was counted at the last tick */
	uint64_t stamp; /* of a function: the last stack that was counted for it */
	uint32_t
		like; /* of a stack: 1 + the first of the same functions, whose row has it; 0: unknown */
};

struct top {
	struct profile profile;
	struct sink *file; /* or NULL; owned by the sink */
	const char *title; /* what is sampled; not owned */
	struct top_row *funcs, *stacks; /* by the profile's indexes */
	size_t func_cap, stack_cap;
	struct u64map by_funcs; /* hash of a stack's functions → the first such stack */
	uint64_t stamp;
	/* What is counted: samples, or where that is asked for weights; where some is off the CPU, time. */
	struct profile_view view;
	double recent; /* values of all rows */
	uint64_t sum;
	uint64_t lost, begin_ns, restarts;
	/* What the user chose. */
	enum top_mode mode;
	enum top_sort sort;
	bool all; /* since the beginning, else recent */
	bool paused, help, color;
	bool typing; /* a filter is being typed */
	char filter[64]; /* part of a function's name; "": none */
	size_t selected, first; /* rows */
	bool expanded; /* the selected stack is shown frame by frame */
	/* Rows of the last screen in order: indexes into funcs or stacks. */
	uint32_t *order;
	size_t order_cnt, order_cap;
};

/* A sink with a view: `file` (may be NULL) gets all that it gets and is freed with it. NULL: ENOMEM. */
struct sink *top__new(struct sink *file, const struct sink_config *cfg, const char *title);
struct top *top__of(struct sink *sink);
/* Once a second: brings the rows up to date. 0 or -ENOMEM. */
int top__tick(struct top *top);
/* Forgets all samples so far. */
void top__restart(struct top *top);
/* The whole screen, into sb (emptied), for a window of this size, in characters. 0 or -ENOMEM. */
int top__draw(struct top *top, struct strbuf *sb, size_t width, size_t height);
/* A key (term.h): true where the user wants to leave. */
bool top__key(struct top *top, int key, size_t height);

/* For top_screen.c: the rows in order into top->order. 0 or -ENOMEM. */
int top__sort_rows(struct top *top);

#endif

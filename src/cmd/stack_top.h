/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stack --top: the terminal between the loop and the view. */
#ifndef BPFPERF_CMD_STACK_TOP_H
#define BPFPERF_CMD_STACK_TOP_H

#include "cmd/loop.h"
#include "util/strbuf.h"

struct sink;
struct top;

struct stack_top {
	struct top *top;
	struct strbuf screen;
	struct loop_view view; /* for loop__run() */
	uint64_t next_ns; /* CLOCK_MONOTONIC: when the rows are brought up to date again */
};

/* Takes the terminal; `sink` is of top__new(). 0 or -errno (said). */
int stack_top__begin(struct stack_top *st, struct sink *sink);
/* Gives it back. Nothing where it was not taken. */
void stack_top__end(struct stack_top *st);

#endif

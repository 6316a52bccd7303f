/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stack --top: the terminal between the loop and the view. */
#ifndef BPFPERF_RUN_TOP_KEYS_H
#define BPFPERF_RUN_TOP_KEYS_H

#include "run/loop.h"
#include "util/strbuf.h"

struct sink;
struct top;

struct top_keys {
	struct top *top;
	struct strbuf screen;
	struct loop_view view; /* for loop__run() */
	uint64_t next_ns; /* CLOCK_MONOTONIC: when the rows are brought up to date again */
};

/* Takes the terminal; `sink` is of top__new(). 0 or -errno (said). */
int top_keys__begin(struct top_keys *st, struct sink *sink);
/* Gives it back. Nothing where it was not taken. */
void top_keys__end(struct top_keys *st);

#endif

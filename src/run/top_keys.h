/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stack --top: connects the terminal, the loop and the view. */
#ifndef BPFPERF_RUN_TOP_KEYS_H
#define BPFPERF_RUN_TOP_KEYS_H

#include <stdint.h>

#include "util/strbuf.h"

struct loop;
struct sink;
struct top;

struct top_keys {
	struct top *top;
	struct strbuf screen;
	uint64_t next_ns; /* CLOCK_MONOTONIC: when the rows are updated again */
};

/* Takes the terminal; its keys wake the loop. `sink` is of top__new(). 0 or -errno (logged). */
int top_keys__begin(struct top_keys *st, struct sink *sink, struct loop *l);
/*
 * After each round of the loop: handles keys and the window's size, and updates the rows once a
 * second. 1: quit; 0; -errno.
 */
int top_keys__check(struct top_keys *st);
/* Gives the terminal back. Does nothing where it was not taken. */
void top_keys__end(struct top_keys *st);

#endif

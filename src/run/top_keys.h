/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stack --top: connects the terminal, the loop and the view. */
#ifndef BPFPERF_RUN_TOP_KEYS_H
#define BPFPERF_RUN_TOP_KEYS_H

#include <stdint.h>

#include "util/strbuf.h"

struct loop;
struct off_cpu_live;
struct sink;
struct top;

struct top_keys {
	struct top *top;
	struct off_cpu_live *live; /* with time off the CPU; else NULL */
	struct strbuf screen;
	uint64_t next_ns; /* CLOCK_MONOTONIC: time of the next update of the rows */
};

/*
 * Switches the terminal to the view; its keys wake the loop. `sink` is from top__new(). 0 or -errno
 * (logged).
 */
int top_keys__begin(struct top_keys *st, struct sink *sink, struct loop *l);
/*
 * After each round of the loop: handles keys and the window's size, and updates the rows once a
 * second. 1: quit; 0; -errno.
 */
int top_keys__check(struct top_keys *st);
/* Restores the terminal, if top_keys__begin() has changed it. */
void top_keys__end(struct top_keys *st);

#endif

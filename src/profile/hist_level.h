/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The lines of a report as a tree: entries that agree in the keys up to a level are one line, with
 * the sums of their numbers. Only the lines below one parent exist at a time: a line is a range of
 * the entries, which are sorted anew for its children.
 */
#ifndef BPFPERF_PROFILE_HIST_LEVEL_H
#define BPFPERF_PROFILE_HIST_LEVEL_H

#include "profile/hist_entries.h"

struct hist_node {
	size_t from, to; /* its entries: hist_entries.all[from..to) */
	struct hist_entry sum; /* an entry with the sums; keys of deeper levels mean nothing */
};

/* The children of one parent, in the order in which they are printed. */
struct hist_level {
	struct hist_entries *es;
	struct hist_node *nodes;
	size_t cnt;
	size_t rest_cnt; /* that of es before */
};

/* Returns the first key of the level behind the one that begins with this key. */
uint32_t hist_level__next(const struct hist_config *cfg, uint32_t key);
/* Returns the number of levels. */
uint32_t hist_level__cnt(const struct hist_config *cfg);
/*
 * Makes the lines of the entries from..to, which agree in all keys before `key`, the first of this
 * level. 0 or -ENOMEM; hist_level__free() in the reverse order frees them in both cases.
 */
int hist_level__build(struct hist_level *l, struct hist_entries *es, size_t from, size_t to,
		      uint32_t key);
void hist_level__free(struct hist_level *l);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The cells of a report's lines and the widths of its columns, as in `perf report --stdio`. */
#ifndef BPFPERF_SINK_HIST_TABLE_H
#define BPFPERF_SINK_HIST_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/hist_chain.h"
#include "profile/hist_entries.h"
#include "util/strbuf.h"

struct hist_text_config;

/* The table of one event, or of the events of a group. */
struct hist_table {
	const struct hist *hist;
	const struct hist_text_config *cfg;
	struct hist_entries es;
	struct hist_chain chain;
	size_t width[HIST_MAX_KEYS];
	uint32_t asked[HIST_MAX_KEYS]; /* the widths that the user has chosen; 0: none */
	struct strbuf cell;
};

const char *hist_table__heading(const struct hist_config *cfg, enum hist_key key);
/* Sets the widths of the columns: those of the longest cells of lines that may be printed. */
void hist_table__measure(struct hist_table *t);
/* Returns whether a line of this entry may be printed. */
bool hist_table__is_selected(const struct hist_table *t, const struct hist_entry *e);
/* Returns the share in percent that an entry has of an event of the group. */
double hist_table__share(const struct hist_table *t, const struct hist_entry *e, uint32_t member,
			 bool is_total);
/* Sets the columns of numbers that stand before all keys, from the left; returns their number. */
uint32_t hist_table__leading(const struct hist_config *cfg, enum hist_key keys[HIST_NUMBER_CNT]);
/* Has the key a column of its own, behind those of numbers that stand before all keys? */
bool hist_table__has_column(const struct hist_config *cfg, enum hist_key key);
/*
 * Returns the width of a column of numbers, those of each event of the group, which is the n-th
 * before all keys.
 */
size_t hist_table__number_width(const struct hist_table *t, enum hist_key key, uint32_t n);
/*
 * Puts the cells of numbers, with blanks before them, or the separator between them. Behind a
 * separator they are on the left, as in perf.
 */
void hist_table__put_all_numbers(const struct hist_table *t, const struct hist_entry *e,
				 struct strbuf *out);
/* Puts the cell of a key; is_last: no cell follows in its line. */
void hist_table__put_key(struct hist_table *t, const struct hist_entry *e, struct strbuf *out,
			 uint32_t column, bool is_last);

#endif

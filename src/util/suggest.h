/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * "Did you mean": the candidates nearest to a word or shell glob that was
 * not found.
 */
#ifndef BPFPERF_UTIL_SUGGEST_H
#define BPFPERF_UTIL_SUGGEST_H

#include <stddef.h>

#include "util/strbuf.h"

#define SUGGEST_MAX 3

struct suggest {
	char *wanted; /* owned */
	unsigned int limit; /* farther ones are no help */
	size_t cnt;
	struct {
		char *name; /* owned */
		unsigned int distance;
	} best[SUGGEST_MAX]; /* nearest first */
};

/*
 * Edits that turn `wanted` into `name`: inserting, deleting, replacing one character or
 * swapping two neighbours costs 1 each (Damerau–Levenshtein, optimal string alignment);
 * case costs nothing. In `wanted`, '*' stands for anything, '?' and '[…]' for one
 * character. UINT_MAX where either is longer than 255 bytes.
 */
unsigned int suggest__distance(const char *wanted, const char *name);

/* 0 or -ENOMEM. `wanted` is copied. */
int suggest__init(struct suggest *sg, const char *wanted);
void suggest__free(struct suggest *sg);
/* Looks at one candidate (copied when kept). A name that nearly holds `wanted` is near as well. */
void suggest__offer(struct suggest *sg, const char *name);
/* Appends "did you mean A or B?" where anything is near: the number of names, 0 for none. */
size_t suggest__put(const struct suggest *sg, struct strbuf *out);

#endif

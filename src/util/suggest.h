/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* "Did you mean": the candidates nearest to an unknown word or shell glob. */
#ifndef BPFPERF_UTIL_SUGGEST_H
#define BPFPERF_UTIL_SUGGEST_H

#include <stddef.h>

#include "util/strbuf.h"

#define SUGGEST_MAX 3

struct suggest {
	char *wanted; /* owned */
	unsigned int limit; /* maximum distance of a useful candidate */
	size_t cnt;
	struct {
		char *name; /* owned */
		unsigned int distance;
	} best[SUGGEST_MAX]; /* nearest first */
};

/*
 * Number of edits that turn `wanted` into `name`: inserting, deleting, replacing one character or
 * swapping two neighbours costs 1 each (Damerau–Levenshtein, optimal string alignment); case is
 * ignored. In `wanted`, '*' matches any text, '?' and '[…]' one character. UINT_MAX if either is
 * longer than 255 bytes.
 */
unsigned int suggest__distance(const char *wanted, const char *name);

/* 0 or -ENOMEM. `wanted` is copied. */
int suggest__init(struct suggest *sg, const char *wanted);
void suggest__free(struct suggest *sg);
/* Tries one candidate (copied if kept). A name that nearly contains `wanted` is near as well. */
void suggest__offer(struct suggest *sg, const char *name);
/*
 * Appends "did you mean A or B?" if any candidate is near: returns the number of names, 0 for none.
 */
size_t suggest__put(const struct suggest *sg, struct strbuf *out);

#endif

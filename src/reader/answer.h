/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Takes an answer apart. Writer and reader of an answer are one program, so values are copied as
 * they are in memory; but the writer may be in the hands of the bytes that it read: every length is
 * checked, and after the first one that is wrong nothing more is taken.
 */
#ifndef BPFPERF_READER_ANSWER_H
#define BPFPERF_READER_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"

struct answer {
	const char *at, *end;
	bool is_bad; /* something was missing */
};

static inline struct answer answer__of(const void *buf, size_t sz)
{
	const char *at = buf ? buf : "";

	return (struct answer){ at, at + sz, false };
}

/* Takes a value of sz bytes; zeros if it is missing. */
static inline void answer__take(struct answer *a, void *value, size_t sz)
{
	if (a->is_bad || (size_t)(a->end - a->at) < sz) {
		a->is_bad = true;
		memset(value, 0, sz);
		return;
	}
	memcpy(value, a->at, sz);
	a->at += sz;
}

/* Appends an array: its number of elements, and the elements. */
static inline void answer__put_array(struct strbuf *sb, const void *array, uint64_t cnt,
				     size_t elem_sz)
{
	strbuf__add(sb, &cnt, sizeof(cnt));
	strbuf__add(sb, array, cnt * elem_sz);
}

/*
 * Takes an array: the caller frees it. NULL and *cnt 0 if it is empty, missing, or there is no
 * memory; the last two make the answer bad.
 */
static inline void *answer__take_array(struct answer *a, size_t elem_sz, size_t *cnt)
{
	void *array = NULL;
	uint64_t n;

	*cnt = 0;
	answer__take(a, &n, sizeof(n));
	if (a->is_bad || !n)
		return NULL;
	if (n <= (size_t)(a->end - a->at) / elem_sz)
		array = malloc(n * elem_sz);
	if (!array) {
		a->is_bad = true;
		return NULL;
	}
	memcpy(array, a->at, n * elem_sz);
	a->at += n * elem_sz;
	*cnt = n;
	return array;
}

/* Appends a text; NULL is another one than "". */
static inline void answer__put_text(struct strbuf *sb, const char *text)
{
	if (text)
		strbuf__putc(sb, 't');
	strbuf__puts(sb, text ? text : "");
	strbuf__putc(sb, '\0');
}

/* Takes a text, which is valid as long as the answer. */
static inline const char *answer__take_text(struct answer *a)
{
	const char *text = a->at, *nul;

	nul = a->is_bad ? NULL : memchr(text, '\0', (size_t)(a->end - text));
	if (!nul) {
		a->is_bad = true;
		return NULL;
	}
	a->at = nul + 1;
	return *text ? text + 1 : NULL;
}

#endif

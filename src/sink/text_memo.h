/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Cached texts of objects with an index, such as named callchains: an object is equal as long as
 * its epoch and its index are.
 */
#ifndef BPFPERF_SINK_TEXT_MEMO_H
#define BPFPERF_SINK_TEXT_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

struct text_memo_entry {
	uint32_t off, len; /* in texts */
	bool is_there;
};

/* Zeroed: empty. */
struct text_memo {
	struct strbuf texts; /* one behind the other */
	struct text_memo_entry *at; /* by index */
	size_t cap;
	uint32_t epoch;
};

void text_memo__free(struct text_memo *memo);

/* Returns whether there is a text of the object. */
static inline bool text_memo__has(const struct text_memo *memo, uint32_t epoch, uint32_t idx)
{
	return epoch == memo->epoch && idx < memo->cap && memo->at[idx].is_there;
}

/*
 * Begins the text of an object: all bytes that are appended to memo->texts until text_memo__end()
 * belong to it. Texts of another epoch are dropped, and all texts if they are too large. 0 or
 * -ENOMEM.
 */
int text_memo__begin(struct text_memo *memo, uint32_t epoch, uint32_t idx);
void text_memo__end(struct text_memo *memo, uint32_t idx);

/* Appends the text of an object that has one. */
static inline void text_memo__put(const struct text_memo *memo, uint32_t idx, struct strbuf *out)
{
	strbuf__add(out, memo->texts.buf + memo->at[idx].off, memo->at[idx].len);
}

#endif

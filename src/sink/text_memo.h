/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Cached texts, one behind the other, each with its length in front. The owner of the index (a
 * u64map) clears it together with the texts.
 */
#ifndef BPFPERF_SINK_TEXT_MEMO_H
#define BPFPERF_SINK_TEXT_MEMO_H

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "util/strbuf.h"

/*
 * Begins a text and returns its offset. All bytes appended to `texts` until text_memo__end() belong
 * to it.
 */
static inline uint32_t text_memo__begin(struct strbuf *texts)
{
	const uint32_t len = 0;
	size_t at = texts->len;

	strbuf__add(texts, &len, sizeof(len));
	return (uint32_t)at;
}

/* Ends the last text, at offset `at`. 0 or -ENOMEM: the text is dropped. */
static inline int text_memo__end(struct strbuf *texts, uint32_t at)
{
	uint32_t len;

	if (texts->len < at + sizeof(len))
		return -ENOMEM;
	len = (uint32_t)(texts->len - at - sizeof(len));
	memcpy(texts->buf + at, &len, sizeof(len));
	return 0;
}

static inline void text_memo__put(const struct strbuf *texts, uint32_t at, struct strbuf *out)
{
	uint32_t len;

	memcpy(&len, texts->buf + at, sizeof(len));
	strbuf__add(out, texts->buf + at + sizeof(len), len);
}

#endif

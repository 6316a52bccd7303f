// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decode/named.h"
#include "util/array.h"
#include "util/hash.h"

/* Puts the text with its tabs; other control characters are escaped. */
static void put_text(struct strbuf *out, const char *text, size_t len)
{
	size_t at, part;

	for (at = 0; at < len; at += part) {
		const char *tab = memchr(text + at, '\t', len - at);

		part = tab ? (size_t)(tab - text) - at : len - at;
		strbuf__put_escaped(out, text + at, part);
		if (!tab)
			continue;
		strbuf__putc(out, '\t');
		part++;
	}
}

/* Returns the hash of the thread's last line; 0: none yet. NULL: no memory. */
static uint64_t *last_of(struct script_source *src, int32_t tid)
{
	uint32_t *slot = u64map__slot(&src->idx_of, (uint32_t)tid);

	if (!slot)
		return NULL;
	if (*slot != U64MAP_NONE)
		return &src->last[*slot];
	if (array__reserve((void **)&src->last, &src->cap, src->cnt + 1, sizeof(*src->last)))
		return NULL;
	*slot = src->cnt++;
	src->last[*slot] = 0;
	return &src->last[*slot];
}

int script_source__put(struct script_source *src, struct strbuf *out, int32_t tid,
		       const struct named_place *place)
{
	const struct sym_frame *f = place ? place->frames : NULL;
	uint64_t *last, hash;
	const char *text;
	size_t len, start;

	if (!src->texts || !f || !f->file || !f->line)
		return 0;
	hash = hash__table_bytes(f->line, f->file, strlen(f->file));
	last = last_of(src, tid);
	if (!last)
		return -ENOMEM;
	if (*last == hash)
		return 0;
	text = src->texts->line(src->texts, f->file, f->line, &len);
	if (!text)
		return 0;
	*last = hash;
	strbuf__putc(out, '|');
	start = out->len;
	strbuf__put_u64(out, f->line);
	strbuf__pad(out, start, 8);
	strbuf__putc(out, ' ');
	put_text(out, text, len);
	strbuf__putc(out, '\n');
	return 0;
}

void script_source__free(struct script_source *src)
{
	u64map__free(&src->idx_of);
	free(src->last);
}

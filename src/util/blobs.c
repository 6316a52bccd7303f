// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/blobs.h"

#include <stdlib.h>

#include "util/array.h"
#include "util/hash.h"

const char *blobs__get(const struct blobs *b, uint32_t idx, size_t *len)
{
	size_t begin = idx ? b->end[idx - 1] : 0;

	*len = b->end[idx] - begin;
	return *len ? b->bytes.buf + begin : "";
}

uint32_t blobs__add(struct blobs *b, const void *data, size_t len)
{
	uint64_t key = hash__table_bytes(HASH_INIT, data, len);
	const char *old;
	uint32_t *slot;
	size_t old_len;

	while ((slot = u64map__slot(&b->by_hash, key)) && *slot != U64MAP_NONE) {
		old = blobs__get(b, *slot, &old_len);
		if (old_len == len && (!len || !memcmp(old, data, len)))
			return *slot;
		key++;
	}
	if (!slot || strbuf__reserve(&b->bytes, len) ||
	    array__reserve((void **)&b->end, &b->cap, (size_t)b->cnt + 1, sizeof(*b->end)))
		return BLOBS_NONE;
	strbuf__add(&b->bytes, data, len);
	b->end[b->cnt] = b->bytes.len;
	return *slot = b->cnt++;
}

void blobs__free(struct blobs *b)
{
	strbuf__free(&b->bytes);
	free(b->end);
	u64map__free(&b->by_hash);
	*b = (struct blobs){ 0 };
}

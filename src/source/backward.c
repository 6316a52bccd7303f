// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "source/backward.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int make_room(struct backward_copy *copy, size_t sz)
{
	char *bytes;

	if (sz <= copy->cap)
		return 0;
	bytes = realloc(copy->bytes, sz);
	if (!bytes)
		return -ENOMEM;
	copy->bytes = bytes;
	copy->cap = sz;
	return 0;
}

/* Size of the whole records within the first `sz` bytes; *cnt is their number. */
static size_t whole_records(const char *bytes, size_t sz, size_t *cnt)
{
	size_t at = 0;

	*cnt = 0;
	while (sz - at >= sizeof(struct perf_event_header)) {
		const struct perf_event_header *hdr = (const void *)(bytes + at);

		/* 0: never written; beyond the remaining bytes: its end was overwritten. */
		if (hdr->size < sizeof(*hdr) || hdr->size > sz - at)
			break;
		at += hdr->size;
		++*cnt;
	}
	return at;
}

int backward__copy(struct backward_copy *copy, const void *data, size_t ring_sz, uint64_t head,
		   uint64_t prev_head)
{
	size_t at = (size_t)(head & (ring_sz - 1)), sz, first, cnt;
	uint64_t written = prev_head - head;

	copy->sz = 0;
	sz = written < ring_sz ? (size_t)written : ring_sz;
	if (make_room(copy, sz))
		return -ENOMEM;
	first = ring_sz - at < sz ? ring_sz - at : sz;
	if (first)
		memcpy(copy->bytes, (const char *)data + at, first);
	if (sz > first)
		memcpy(copy->bytes + first, data, sz - first);
	copy->sz = whole_records(copy->bytes, sz, &cnt);
	return 0;
}

void backward_copy__free(struct backward_copy *copy)
{
	free(copy->bytes);
	*copy = (struct backward_copy){ NULL, 0, 0 };
}

int backward__each(const struct backward_copy *copy,
		   int (*fn)(void *ctx, const struct perf_event_header *hdr), void *ctx)
{
	size_t cnt, at, i;
	size_t *offs;
	int err = 0;

	whole_records(copy->bytes, copy->sz, &cnt);
	offs = malloc((cnt + 1) * sizeof(*offs));
	if (!offs)
		return -ENOMEM;
	for (i = at = 0; i < cnt; i++) {
		offs[i] = at;
		at += ((const struct perf_event_header *)(copy->bytes + at))->size;
	}
	while (cnt-- && !err)
		err = fn(ctx, (const void *)(copy->bytes + offs[cnt]));
	free(offs);
	return err;
}

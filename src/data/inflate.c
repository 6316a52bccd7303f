// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "data/inflate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define OUT_SZ (1u << 18)

struct inflate {
	ZSTD_DStream *stream;
	ZSTD_inBuffer in;
	size_t start, end;
	uint8_t out[OUT_SZ];
};

struct inflate *inflate__new(void)
{
	struct inflate *z = calloc(1, sizeof(*z));

	if (!z)
		return NULL;
	z->stream = ZSTD_createDStream();
	if (!z->stream) {
		free(z);
		errno = ENOMEM;
		return NULL;
	}
	return z;
}

void inflate__free(struct inflate *z)
{
	if (!z)
		return;
	ZSTD_freeDStream(z->stream);
	free(z);
}

void inflate__feed(struct inflate *z, const void *data, size_t sz)
{
	z->in = (ZSTD_inBuffer){ data, sz, 0 };
}

int64_t inflate__peek(struct inflate *z, size_t want, const uint8_t **data)
{
	ZSTD_outBuffer out;
	size_t before, ret;

	if (z->start && OUT_SZ - z->start < want) {
		memmove(z->out, z->out + z->start, z->end - z->start);
		z->end -= z->start;
		z->start = 0;
	}
	while (z->end - z->start < want) {
		out = (ZSTD_outBuffer){ z->out, OUT_SZ, z->end };
		before = z->in.pos;
		ret = ZSTD_decompressStream(z->stream, &out, &z->in);
		if (ZSTD_isError(ret))
			return -EBADMSG;
		/* zstd neither read nor wrote a byte: the rest is in the next record. */
		if (out.pos == z->end && z->in.pos == before)
			break;
		z->end = out.pos;
	}
	*data = z->out + z->start;
	return (int64_t)(z->end - z->start);
}

void inflate__skip(struct inflate *z, size_t sz)
{
	z->start += sz;
	if (z->start == z->end)
		z->start = z->end = 0;
}

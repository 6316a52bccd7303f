// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/gzip.h"

#include <errno.h>
#include <zlib.h>

/* Compresses in[from, to) to the room behind out; `flush` ends it. */
static int put_part(z_stream *z, const unsigned char *in, size_t from, size_t to, int flush)
{
	z->next_in = (Bytef *)in + from;
	z->avail_in = (uInt)(to - from);
	return deflate(z, flush);
}

int gzip__put_parts(struct strbuf *out, const void *data, size_t len, int level, const size_t *ends,
		    size_t end_cnt)
{
	size_t i, from = 0, room = 0;
	z_stream z = {};
	int ret = Z_OK;

	/* windowBits + 16: a gzip header. */
	if (len > UINT32_MAX ||
	    deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	for (i = 0; i < end_cnt; i++)
		room += deflateBound(&z, ends[i] - (i ? ends[i - 1] : 0));
	room += deflateBound(&z, len);
	if (strbuf__reserve(out, room)) {
		deflateEnd(&z);
		return -ENOMEM;
	}
	z.next_out = (Bytef *)out->buf + out->len;
	z.avail_out = (uInt)(out->cap - out->len);
	for (i = 0; i < end_cnt && ret == Z_OK; i++) {
		if (ends[i] - from < GZIP_PART_MIN)
			continue;
		ret = put_part(&z, data, from, ends[i], Z_BLOCK);
		from = ends[i];
	}
	if (ret == Z_OK)
		ret = put_part(&z, data, from, len, Z_FINISH);
	out->len += z.total_out;
	deflateEnd(&z);
	return ret == Z_STREAM_END ? 0 : -ENOMEM;
}

int gzip__put(struct strbuf *out, const void *data, size_t len, int level)
{
	return gzip__put_parts(out, data, len, level, NULL, 0);
}

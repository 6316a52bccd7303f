// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/gzip.h"

#include <errno.h>
#include <zlib.h>

int gzip__put(struct strbuf *out, const void *data, size_t len, int level)
{
	z_stream z = { .next_in = (Bytef *)data, .avail_in = (uInt)len };
	int ret;

	/* windowBits + 16: a gzip header. */
	if (len > UINT32_MAX ||
	    deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	if (strbuf__reserve(out, deflateBound(&z, len))) {
		deflateEnd(&z);
		return -ENOMEM;
	}
	z.next_out = (Bytef *)out->buf + out->len;
	z.avail_out = (uInt)(out->cap - out->len);
	ret = deflate(&z, Z_FINISH);
	out->len += z.total_out;
	deflateEnd(&z);
	return ret == Z_STREAM_END ? 0 : -ENOMEM;
}

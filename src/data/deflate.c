// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "data/deflate.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

#include <linux/perf_event.h>

#include "data/perf_file.h"

/* A package including its header; incompressible data grows by less than 1 KiB. */
#define PACKAGE_MAX_SZ 65528
_Static_assert(ZSTD_COMPRESSBOUND(DEFLATE_PIECE_SZ) + 16 < PACKAGE_MAX_SZ - 8,
	       "a piece fits into one record, whatever it is");

struct deflate {
	ZSTD_CStream *stream;
};

struct deflate *deflate__new(int level)
{
	struct deflate *z = calloc(1, sizeof(*z));

	if (!z)
		return NULL;
	z->stream = ZSTD_createCStream();
	if (!z->stream) {
		free(z);
		errno = ENOMEM;
		return NULL;
	}
	if (level < 1 || level > ZSTD_maxCLevel() ||
	    ZSTD_isError(ZSTD_initCStream(z->stream, level))) {
		deflate__free(z);
		errno = EINVAL;
		return NULL;
	}
	return z;
}

void deflate__free(struct deflate *z)
{
	if (!z)
		return;
	ZSTD_freeCStream(z->stream);
	free(z);
}

static int pack_piece(struct deflate *z, const void *data, size_t sz, struct strbuf *out)
{
	struct perf_event_header hdr = { .type = PERF_USER_COMPRESSED };
	ZSTD_inBuffer in = { data, sz, 0 };
	ZSTD_outBuffer packed;

	if (strbuf__reserve(out, PACKAGE_MAX_SZ))
		return -ENOMEM;
	packed = (ZSTD_outBuffer){ out->buf + out->len + sizeof(hdr), PACKAGE_MAX_SZ - sizeof(hdr),
				   0 };
	/* Flush, since perf unpacks each package by itself. */
	if (ZSTD_isError(ZSTD_compressStream(z->stream, &packed, &in)) || in.pos < in.size ||
	    ZSTD_flushStream(z->stream, &packed) != 0)
		return -EIO;
	hdr.size = (uint16_t)(sizeof(hdr) + packed.pos);
	memcpy(out->buf + out->len, &hdr, sizeof(hdr));
	out->len += hdr.size;
	return 0;
}

int deflate__pack(struct deflate *z, const void *data, size_t sz, struct strbuf *out)
{
	const char *p = data;
	size_t piece;
	int err = 0;

	for (; sz && !err; p += piece, sz -= piece) {
		piece = sz < DEFLATE_PIECE_SZ ? sz : DEFLATE_PIECE_SZ;
		err = pack_piece(z, p, piece, out);
	}
	return err;
}

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_UTIL_GZIP_H
#define BPFPERF_UTIL_GZIP_H

#include "util/strbuf.h"

/* Appends the data to `out` as one gzip member of zlib's `level`, 1 to 9. 0 or -ENOMEM. */
int gzip__put(struct strbuf *out, const void *data, size_t len, int level);

/* A part of fewer bytes shares the codes of the next one. */
#define GZIP_PART_MIN 1024
/*
 * Appends data likewise, with Huffman codes of their own for each of its parts, which end at the
 * ascending offsets `ends`: parts of different content become smaller by some percent.
 */
int gzip__put_parts(struct strbuf *out, const void *data, size_t len, int level, const size_t *ends,
		    size_t end_cnt);

#endif

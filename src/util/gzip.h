/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_UTIL_GZIP_H
#define BPFPERF_UTIL_GZIP_H

#include "util/strbuf.h"

/* Appends the data to `out` as one gzip member of zlib's `level`, 1 to 9. 0 or -ENOMEM. */
int gzip__put(struct strbuf *out, const void *data, size_t len, int level);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Packs records like `perf record -z`: one zstd stream through all records of the file. */
#ifndef BPFPERF_DATA_DEFLATE_H
#define BPFPERF_DATA_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

/*
 * Maximum size of the records in one package: readers allocate buffers of it (feature COMPRESSED).
 */
#define DEFLATE_PIECE_SZ (60u << 10)

struct deflate;

/* NULL and errno EINVAL (invalid level) or ENOMEM. */
struct deflate *deflate__new(int level);
void deflate__free(struct deflate *z);
/*
 * Appends PERF_RECORD_COMPRESSED records with all sz bytes, flushed so that all of them can be
 * unpacked. 0, -ENOMEM, or -EIO if zstd fails.
 */
int deflate__pack(struct deflate *z, const void *data, size_t sz, struct strbuf *out);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Packs records as `perf record -z` does: one zstd stream through all records of the file. */
#ifndef BPFPERF_DATA_DEFLATE_H
#define BPFPERF_DATA_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

/*
 * One package holds at most so many bytes of records: readers' buffers have it (feature
 * COMPRESSED).
 */
#define DEFLATE_PIECE_SZ (60u << 10)

struct deflate;

/* NULL and errno EINVAL (no such level) or ENOMEM. */
struct deflate *deflate__new(int level);
void deflate__free(struct deflate *z);
/*
 * Appends PERF_RECORD_COMPRESSED records that hold all sz bytes, and with which all of them can be
 * read. 0, -ENOMEM, or -EIO where zstd fails.
 */
int deflate__pack(struct deflate *z, const void *data, size_t sz, struct strbuf *out);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Interned bytes: equal bytes have one index. Unlike texts.h they may contain any byte. */
#ifndef BPFPERF_UTIL_BLOBS_H
#define BPFPERF_UTIL_BLOBS_H

#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"
#include "util/u64map.h"

/* This value is no index. */
#define BLOBS_NONE U64MAP_NONE

/* A zeroed struct is empty. */
struct blobs {
	struct strbuf bytes; /* all blobs in a row */
	size_t *end; /* by index: offset in bytes of the end of the blob */
	uint32_t cnt;
	size_t cap;
	struct u64map by_hash;
};

/* The index of the bytes, which are copied if they are new. BLOBS_NONE: no memory. */
uint32_t blobs__add(struct blobs *b, const void *data, size_t len);
/* The bytes of an index below cnt, valid until the next call of blobs__add(). Sets *len. */
const char *blobs__get(const struct blobs *b, uint32_t idx, size_t *len);
void blobs__free(struct blobs *b);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Unpacks the records of `perf record -z`: one zstd stream through all of them. */
#ifndef BPFPERF_DATA_INFLATE_H
#define BPFPERF_DATA_INFLATE_H

#include <stddef.h>
#include <stdint.h>

struct inflate;

/* NULL and errno ENOMEM. */
struct inflate *inflate__new(void);
void inflate__free(struct inflate *z);
/* Appends to the stream (not copied: must stay valid until it is used up). */
void inflate__feed(struct inflate *z, const void *data, size_t sz);
/*
 * Makes `want` bytes (at most 65,536) available at *data, as far as the input suffices, and returns
 * their number. -EBADMSG: not a zstd stream. Memory does not depend on the file.
 */
int64_t inflate__peek(struct inflate *z, size_t want, const uint8_t **data);
/* Drops bytes after a peek. */
void inflate__skip(struct inflate *z, size_t sz);

#endif

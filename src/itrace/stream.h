/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Bytes of an AUX area that follow each other, and the PSBs in them. */
#ifndef BPFPERF_ITRACE_STREAM_H
#define BPFPERF_ITRACE_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "itrace/wire.h"

/* Bytes that are searched at once. */
#define STREAM_WINDOW_SZ (1u << 20)
/* Bytes of a PSB and of the packets up to its PSBEND, at most; also of itrace_chunk.tail_sz. */
#define STREAM_HEAD_SZ 256

/* A row of pieces: their bytes follow each other. */
struct stream {
	const struct itrace_piece *pieces;
	size_t cnt;
	uint32_t first; /* index of the first piece */
	uint32_t queue;
	uint64_t sz, aux_off;
	int fd;
	/* The piece that was last looked at, and the offset at which it begins. */
	size_t at;
	uint64_t at_off;
	/* The bytes of the stream that were last searched. */
	uint8_t *window; /* of STREAM_WINDOW_SZ bytes; not owned */
	uint64_t window_off;
	size_t window_sz;
};

/* Looks for the piece with an offset: those of a stream are mostly looked for in their order. */
void stream__seek(struct stream *s, uint64_t off);
/* Reads up to sz bytes at an offset of the stream. Returns their number. */
size_t stream__read(struct stream *s, uint64_t off, uint8_t *buf, size_t sz);
/* The first PSB at this offset or behind it; UINT64_MAX: there is none. */
uint64_t stream__next_psb(struct stream *s, uint64_t off);
/* The first place of these bytes from `at` on. UINT64_MAX: there is none, or a signal came. */
uint64_t stream__find(struct stream *s, uint64_t at, const uint8_t *bytes, size_t sz);
/*
 * The TSC packet behind a PSB (Intel SDM, volume 3, "Trace packets"); 0: there is none, or these
 * bytes are no PSB, as at the begin of a stream.
 */
uint64_t stream__tsc(const uint8_t *p, size_t sz);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A source of records, with three implementations: the rings that BPF programs write to
 * (source/live.h), the rings of perf events (source/kernel_rings.h) and files (source/file.h). Each
 * has its own constructor. An indirect call is made once a round, never once a record.
 */
#ifndef BPFPERF_SOURCE_SOURCE_H
#define BPFPERF_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "data/record.h"

struct source;

/* NULL: the source does not support the operation. */
struct source_ops {
	int (*drain)(struct source *src, bool all, record_fn fn, void *ctx);
	int (*dump)(struct source *src, bool all, record_fn fn, void *ctx);
	int (*fd)(const struct source *src);
	uint64_t (*delivered)(const struct source *src);
	uint64_t (*late)(const struct source *src);
	void (*free)(struct source *src);
};

/* The first member of each source. */
struct source {
	const struct source_ops *ops;
};

/*
 * Hands on the available records; with `all` no more records are produced, and none may be held
 * back. A file is read to its end. 0, the value that fn returned, or -errno.
 */
static inline int source__drain(struct source *src, bool all, record_fn fn, void *ctx)
{
	return src->ops->drain(src, all, fn, ctx);
}

/* Hands on the records in overwriting rings that no earlier dump handed on; `all` as for drain. */
static inline int source__dump(struct source *src, bool all, record_fn fn, void *ctx)
{
	return src->ops->dump ? src->ops->dump(src, all, fn, ctx) : 0;
}

/* Readable when there is something to drain; -1: never readable, drain without waiting. */
static inline int source__fd(const struct source *src)
{
	return src->ops->fd ? src->ops->fd(src) : -1;
}

/* Records handed on so far. */
static inline uint64_t source__delivered(const struct source *src)
{
	return src->ops->delivered ? src->ops->delivered(src) : 0;
}

/* Records handed on after younger ones. */
static inline uint64_t source__late(const struct source *src)
{
	return src->ops->late ? src->ops->late(src) : 0;
}

/* NULL is accepted. */
static inline void source__free(struct source *src)
{
	if (src)
		src->ops->free(src);
}

#endif

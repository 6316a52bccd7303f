/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Records of one ring between ring and merge, sorted by time. Ring order is nearly time order: an
 * interrupt's record may overtake the batch of the interrupted program.
 *
 * The bytes lie in chunks that all queues of a source share through a pool: a backlog grows and
 * shrinks without moving any byte, and mapped memory is reused.
 */
#ifndef BPFPERF_SOURCE_QUEUE_H
#define BPFPERF_SOURCE_QUEUE_H

#include <stddef.h>
#include <stdint.h>

/* Chunks are aligned to their size, so a record's address determines its chunk. */
#define QUEUE_CHUNK_SZ (1u << 20)

struct queue_chunk {
	struct queue_chunk *next_free;
	size_t used; /* bytes, this header included */
	size_t live; /* records not yet dropped */
};

struct queue_pool {
	struct queue_chunk *free;
	size_t free_cnt;
	size_t full_cnt; /* full chunks that still hold records: the backlog */
};

struct queue_ref {
	uint64_t time_ns;
	const void *rec;
};

struct queue {
	struct queue_pool *pool;
	uint32_t cpu;
	struct queue_chunk *tail; /* where records are added */
	struct queue_ref *refs; /* circular, sorted; cap is a power of two */
	size_t head, end, cap; /* running indices: the queue holds end − head records */
};

/*
 * Copies sz bytes (at most 64 KiB, the limit of perf records): one record or several. Returns the
 * copy, 8-byte aligned, whose records must be added one by one before the next copy; or NULL: out
 * of memory.
 */
void *queue__copy(struct queue *q, const void *bytes, size_t sz);
/* Adds a record that lies in the last copy. 0 or -ENOMEM. */
int queue__add(struct queue *q, uint64_t time_ns, const void *rec);
/* Copies and adds one record. 0 or -ENOMEM. */
int queue__push(struct queue *q, uint64_t time_ns, const void *rec, size_t sz);
/* Drops the first record; its memory may be used again. */
void queue__pop(struct queue *q);
void queue__free(struct queue *q);
/* Call after all its queues were freed. */
void queue_pool__free(struct queue_pool *pool);

static inline int queue__is_empty(const struct queue *q)
{
	return q->head == q->end;
}

static inline const struct queue_ref *queue__peek(const struct queue *q)
{
	return &q->refs[q->head & (q->cap - 1)];
}

#endif

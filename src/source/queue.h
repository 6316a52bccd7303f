/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Records of one ring between ring and merge, sorted by time. Ring order is
 * nearly time order: an interrupt's record may overtake the one it
 * interrupted between that one's timestamp and its place in the ring.
 */
#ifndef BPFPERF_SOURCE_QUEUE_H
#define BPFPERF_SOURCE_QUEUE_H

#include <stddef.h>
#include <stdint.h>

struct queue_ref {
	uint64_t time_ns;
	size_t off; /* of the record in buf */
};

struct queue {
	uint32_t cpu;
	char *buf; /* records back to back, each 8-byte aligned */
	size_t used, cap; /* bytes */
	struct queue_ref *refs; /* sorted; refs[head] is the next */
	size_t head, cnt, refs_cap; /* cnt counts from 0, not from head */
	uint64_t last_time_ns; /* the newest ever pushed */
};

/* Copies a record of sz bytes. 0 or -ENOMEM. */
int queue__push(struct queue *q, uint64_t time_ns, const void *rec, size_t sz);
void queue__free(struct queue *q);

static inline int queue__is_empty(const struct queue *q)
{
	return q->head == q->cnt;
}

static inline const struct queue_ref *queue__peek(const struct queue *q)
{
	return &q->refs[q->head];
}

static inline const void *queue__record(const struct queue *q, const struct queue_ref *ref)
{
	return q->buf + ref->off;
}

/* Drops the first record. What it pointed to stays valid until the next push or trim. */
static inline void queue__pop(struct queue *q)
{
	if (++q->head == q->cnt)
		q->head = q->cnt = q->used = 0;
}

/* Gives back the memory of a burst that is over: an empty queue's, where it is large. */
void queue__trim(struct queue *q);

#endif

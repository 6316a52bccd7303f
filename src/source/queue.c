// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "source/queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Chunks kept for the next burst; further ones are freed. */
#define FREE_CHUNKS_MAX 16

/* Offset of the first record in a chunk. */
#define CHUNK_HEAD ((sizeof(struct queue_chunk) + 7) & ~(size_t)7)

static struct queue_chunk *chunk_of(const void *rec)
{
	return (struct queue_chunk *)((uintptr_t)rec & ~(uintptr_t)(QUEUE_CHUNK_SZ - 1));
}

static struct queue_chunk *take_chunk(struct queue_pool *pool)
{
	struct queue_chunk *c = pool->free;

	if (c) {
		pool->free = c->next_free;
		pool->free_cnt--;
	} else {
		c = aligned_alloc(QUEUE_CHUNK_SZ, QUEUE_CHUNK_SZ);
		if (!c)
			return NULL;
	}
	c->used = CHUNK_HEAD;
	c->live = 0;
	return c;
}

static void give_chunk(struct queue_pool *pool, struct queue_chunk *c)
{
	if (pool->free_cnt == FREE_CHUNKS_MAX) {
		free(c);
		return;
	}
	c->next_free = pool->free;
	pool->free = c;
	pool->free_cnt++;
}

/* Makes room for padded bytes in the tail chunk. */
static int reserve(struct queue *q, size_t padded)
{
	struct queue_chunk *c;

	if (q->tail && QUEUE_CHUNK_SZ - q->tail->used >= padded)
		return 0;
	if (q->tail && !q->tail->live) {
		q->tail->used = CHUNK_HEAD;
		return 0;
	}
	c = take_chunk(q->pool);
	if (!c)
		return -ENOMEM;
	if (q->tail)
		q->pool->full_cnt++;
	q->tail = c;
	return 0;
}

static int grow_refs(struct queue *q)
{
	size_t cap = q->cap ? q->cap * 2 : 256, i;
	struct queue_ref *refs = malloc(cap * sizeof(*refs));

	if (!refs)
		return -ENOMEM;
	for (i = q->head; i != q->end; i++)
		refs[i & (cap - 1)] = q->refs[i & (q->cap - 1)];
	free(q->refs);
	q->refs = refs;
	q->cap = cap;
	return 0;
}

void *queue__copy(struct queue *q, const void *bytes, size_t sz)
{
	size_t padded = (sz + 7) & ~(size_t)7;
	char *at;

	if (reserve(q, padded))
		return NULL;
	at = (char *)q->tail + q->tail->used;
	memcpy(at, bytes, sz);
	q->tail->used += padded;
	return at;
}

int queue__add(struct queue *q, uint64_t time_ns, const void *rec)
{
	size_t i, mask;

	if (q->end - q->head == q->cap && grow_refs(q))
		return -ENOMEM;
	q->tail->live++;
	mask = q->cap - 1;
	for (i = q->end++; i != q->head && q->refs[(i - 1) & mask].time_ns > time_ns; i--)
		q->refs[i & mask] = q->refs[(i - 1) & mask];
	q->refs[i & mask] = (struct queue_ref){ time_ns, rec };
	return 0;
}

int queue__push(struct queue *q, uint64_t time_ns, const void *rec, size_t sz)
{
	void *copy = queue__copy(q, rec, sz);

	return copy ? queue__add(q, time_ns, copy) : -ENOMEM;
}

void queue__pop(struct queue *q)
{
	struct queue_chunk *c = chunk_of(queue__peek(q)->rec);

	q->head++;
	if (--c->live || c == q->tail)
		return;
	q->pool->full_cnt--;
	give_chunk(q->pool, c);
}

void queue__free(struct queue *q)
{
	while (!queue__is_empty(q))
		queue__pop(q);
	free(q->tail);
	free(q->refs);
	q->tail = NULL;
	q->refs = NULL;
}

void queue_pool__free(struct queue_pool *pool)
{
	struct queue_chunk *c;

	while ((c = pool->free)) {
		pool->free = c->next_free;
		free(c);
	}
	pool->free_cnt = 0;
}

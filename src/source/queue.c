// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "source/queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int grow(void **mem, size_t *cap, size_t need, size_t elem_sz)
{
	size_t bigger = *cap ? *cap : 4096 / elem_sz;
	void *p;

	while (bigger < need)
		bigger *= 2;
	p = realloc(*mem, bigger * elem_sz);
	if (!p)
		return -ENOMEM;
	*mem = p;
	*cap = bigger;
	return 0;
}

/* Moves what is left to the front, so that a queue that never empties does not grow for ever. */
static void compact(struct queue *q)
{
	size_t i, first = q->used;

	/* A record out of order may lie before its predecessors' bytes. */
	for (i = q->head; i < q->cnt; i++)
		if (q->refs[i].off < first)
			first = q->refs[i].off;
	memmove(q->buf, q->buf + first, q->used - first);
	q->used -= first;
	for (i = q->head; i < q->cnt; i++) {
		q->refs[i - q->head] = q->refs[i];
		q->refs[i - q->head].off -= first;
	}
	q->cnt -= q->head;
	q->head = 0;
}

int queue__push(struct queue *q, uint64_t time_ns, const void *rec, size_t sz)
{
	size_t i, padded = (sz + 7) & ~(size_t)7;

	if (q->head > 1024 && q->head > q->cnt / 2)
		compact(q);
	if (q->used + padded > q->cap && grow((void **)&q->buf, &q->cap, q->used + padded, 1))
		return -ENOMEM;
	if (q->cnt == q->refs_cap &&
	    grow((void **)&q->refs, &q->refs_cap, q->cnt + 1, sizeof(*q->refs)))
		return -ENOMEM;
	memcpy(q->buf + q->used, rec, sz);
	for (i = q->cnt++; i > q->head && q->refs[i - 1].time_ns > time_ns; i--)
		q->refs[i] = q->refs[i - 1];
	q->refs[i] = (struct queue_ref){ time_ns, q->used };
	q->used += padded;
	if (time_ns > q->last_time_ns)
		q->last_time_ns = time_ns;
	return 0;
}

void queue__trim(struct queue *q)
{
	if (!queue__is_empty(q) || q->cap < (4u << 20))
		return;
	queue__free(q);
	q->cap = q->refs_cap = 0;
}

void queue__free(struct queue *q)
{
	free(q->buf);
	free(q->refs);
	q->buf = NULL;
	q->refs = NULL;
}

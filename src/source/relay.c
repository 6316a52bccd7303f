// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "source/relay.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_CNT 4
#define BATCH_SZ (512u << 10)
#define BATCH_RECORDS 8192

struct entry {
	uint64_t time_ns, off;
	size_t at;
};

struct batch {
	uint64_t bytes[BATCH_SZ / 8];
	struct entry entries[BATCH_RECORDS];
	size_t sz, cnt;
};

struct relay {
	pthread_mutex_t lock; /* protects the counters below */
	pthread_cond_t changed;
	uint64_t put, taken; /* batches so far: next to fill, next to release */
	bool is_ended, is_cancelled;
	struct batch batches[BATCH_CNT];
};

struct relay *relay__new(void)
{
	struct relay *r = malloc(sizeof(*r));
	size_t i;

	if (!r)
		return NULL;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
	r->put = r->taken = 0;
	r->is_ended = r->is_cancelled = false;
	for (i = 0; i < BATCH_CNT; i++)
		r->batches[i].sz = r->batches[i].cnt = 0;
	return r;
}

void relay__free(struct relay *r)
{
	if (!r)
		return;
	pthread_cond_destroy(&r->changed);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

static struct batch *filling(struct relay *r)
{
	return &r->batches[r->put % BATCH_CNT];
}

/* Passes the batch on; the next one is free when this returns. */
static int submit(struct relay *r)
{
	bool is_cancelled;

	pthread_mutex_lock(&r->lock);
	r->put++;
	pthread_cond_broadcast(&r->changed);
	while (r->put - r->taken == BATCH_CNT && !r->is_cancelled)
		pthread_cond_wait(&r->changed, &r->lock);
	is_cancelled = r->is_cancelled;
	pthread_mutex_unlock(&r->lock);
	if (is_cancelled)
		return -ECANCELED;
	filling(r)->sz = filling(r)->cnt = 0;
	return 0;
}

int relay__put(struct relay *r, const struct record *rec)
{
	size_t sz = (rec->hdr->size + 7u) & ~(size_t)7;
	struct batch *b = filling(r);
	int err;

	if (b->cnt == BATCH_RECORDS || b->sz + sz > BATCH_SZ) {
		err = submit(r);
		if (err)
			return err;
		b = filling(r);
	}
	memcpy((char *)b->bytes + b->sz, rec->hdr, rec->hdr->size);
	b->entries[b->cnt++] = (struct entry){ rec->time_ns, rec->off, b->sz };
	b->sz += sz;
	return 0;
}

int relay__flush(struct relay *r)
{
	return filling(r)->cnt ? submit(r) : 0;
}

void relay__drain(struct relay *r)
{
	if (relay__flush(r))
		return;
	pthread_mutex_lock(&r->lock);
	while (r->taken != r->put && !r->is_cancelled)
		pthread_cond_wait(&r->changed, &r->lock);
	pthread_mutex_unlock(&r->lock);
}

void relay__end(struct relay *r)
{
	relay__flush(r);
	pthread_mutex_lock(&r->lock);
	r->is_ended = true;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

/* The next batch, or NULL at the end. */
static const struct batch *take_batch(struct relay *r)
{
	const struct batch *b = NULL;

	pthread_mutex_lock(&r->lock);
	while (r->taken == r->put && !r->is_ended)
		pthread_cond_wait(&r->changed, &r->lock);
	if (r->taken != r->put)
		b = &r->batches[r->taken % BATCH_CNT];
	pthread_mutex_unlock(&r->lock);
	return b;
}

static void give_back(struct relay *r, bool is_cancelled)
{
	pthread_mutex_lock(&r->lock);
	r->taken++;
	r->is_cancelled = is_cancelled;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

int relay__take_all(struct relay *r, record_fn fn, void *ctx)
{
	const struct batch *b;
	size_t i;
	int err = 0;

	while (!err && (b = take_batch(r))) {
		for (i = 0; i < b->cnt && !err; i++) {
			const struct entry *e = &b->entries[i];
			struct record rec = { .time_ns = e->time_ns, .off = e->off };

			record__set_hdr(&rec, (const void *)((const char *)b->bytes + e->at));
			err = fn(ctx, &rec);
		}
		give_back(r, err != 0);
	}
	return err;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Queues keep time order whatever order records come in; merging gives one stream; chunks are used
 * again.
 */
#include "source/queue.h"

#include <string.h>

#include "source/merge.h"
#include "tap.h"

/* A small generator: the test must be the same each time. */
static uint32_t next_random(void)
{
	static uint32_t x = 12345;

	x = x * 1664525u + 1013904223u;
	return x >> 8;
}

struct rec {
	uint64_t time_ns, seq;
	char rest[100];
};

static void push_rec(struct queue *q, uint64_t time_ns, uint64_t seq)
{
	struct rec r = { .time_ns = time_ns, .seq = seq };

	memset(r.rest, (int)seq & 0x7f, sizeof(r.rest));
	if (queue__push(q, time_ns, &r, sizeof(r) - next_random() % 50))
		ok(false, "memory for a record");
}

static void test_disorder(void)
{
	struct queue_pool pool = {};
	struct queue q = { .pool = &pool };
	uint64_t last = 0, cnt = 0, i;
	bool sorted = true, same = true;

	/* Each up to 40 too early: as interrupts overtake what they interrupt. */
	for (i = 0; i < 50021; i++)
		push_rec(&q, 1000 + 10 * i - next_random() % 40, i);
	while (!queue__is_empty(&q)) {
		const struct queue_ref *ref = queue__peek(&q);
		const struct rec *r = ref->rec;

		sorted = sorted && ref->time_ns >= last;
		same = same && r->time_ns == ref->time_ns && r->rest[40] == (char)(r->seq & 0x7f);
		last = ref->time_ns;
		cnt++;
		queue__pop(&q);
	}
	is_u64(cnt, 50021, "every record comes out");
	ok(sorted, "records come out in order of time");
	ok(same, "records come out with their own bytes");
	queue__free(&q);
	queue_pool__free(&pool);
}

static void test_same_time(void)
{
	struct queue_pool pool = {};
	struct queue q = { .pool = &pool };
	bool in_order = true;
	uint64_t i;

	for (i = 0; i < 1001; i++)
		push_rec(&q, 7, i);
	for (i = 0; i < 1001; i++) {
		const struct rec *r = queue__peek(&q)->rec;

		in_order = in_order && r->seq == i;
		queue__pop(&q);
	}
	ok(in_order, "records of one time stay in the order of the ring");
	queue__free(&q);
	queue_pool__free(&pool);
}

static void test_reuse(void)
{
	struct queue_pool pool = {};
	struct queue q = { .pool = &pool };
	uint64_t i, most = 0;

	/* A backlog of 30,000 records (over 3 chunks) that moves along for 1,000,003. */
	for (i = 0; i < 1000003; i++) {
		push_rec(&q, i, i);
		if (i >= 30000)
			queue__pop(&q);
		if (pool.full_cnt + pool.free_cnt > most)
			most = pool.full_cnt + pool.free_cnt;
	}
	ok(most >= 2 && most <= 6, "a backlog of some 3 MB takes %ju chunks of 1 MiB", most);
	is_u64(q.end - q.head, 30000, "the backlog has 30,000 records");
	queue__free(&q);
	is_u64(pool.full_cnt, 0, "no chunk remains in use");
	queue_pool__free(&pool);
}

/* Blocks of many records, as batches come; each is dropped only with its last record. */
static void test_blocks(void)
{
	struct queue_pool pool = {};
	struct queue q = { .pool = &pool };
	uint64_t block[1024], t = 0, next = 0, i, b;
	bool in_order = true, fits = true;

	for (b = 0; b < 5003; b++) {
		size_t cnt = 1 + next_random() % 1024;
		uint64_t *copy;

		for (i = 0; i < cnt; i++)
			block[i] = t++;
		copy = queue__copy(&q, block, cnt * sizeof(*block));
		for (i = 0; copy && i < cnt; i++)
			fits = fits && !queue__add(&q, copy[i], &copy[i]);
		fits = fits && copy;
		while (q.end - q.head > 3000) {
			const uint64_t *rec = queue__peek(&q)->rec;

			in_order = in_order && *rec == next++;
			queue__pop(&q);
		}
	}
	ok(fits, "blocks of up to 1024 records are taken");
	is_u64(next, t - 3000, "all but the last 3000 of their records come out");
	ok(in_order, "records of blocks come out in order");
	ok(pool.full_cnt <= 1, "a chunk is given back when its last record went (%zu are held)",
	   pool.full_cnt);
	queue__free(&q);
	queue_pool__free(&pool);
}

static void test_merge(void)
{
	struct queue_pool pool = {};
	struct queue queues[7], *heap[7];
	uint64_t last = 0, cnt = 0, i;
	size_t n;
	bool sorted = true;

	memset(queues, 0, sizeof(queues));
	for (i = 0; i < 7; i++) {
		queues[i].pool = &pool;
		heap[i] = &queues[i];
		push_rec(&queues[i], next_random() % 100000, i);
	}
	for (i = 0; i < 20011; i++)
		push_rec(&queues[next_random() % 7], next_random() % 100000, i);
	n = 7;
	merge__heapify(heap, n);
	while (n) {
		uint64_t t = queue__peek(heap[0])->time_ns;

		sorted = sorted && t >= last;
		last = t;
		cnt++;
		queue__pop(heap[0]);
		n = merge__advance(heap, n);
	}
	is_u64(cnt, 20018, "seven queues give all their records");
	ok(sorted, "seven queues merge to one stream in order of time");
	for (i = 0; i < 7; i++)
		queue__free(&queues[i]);
	queue_pool__free(&pool);
}

int main(void)
{
	test_disorder();
	test_same_time();
	test_reuse();
	test_blocks();
	test_merge();
	return done_testing();
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * A ring written backward, as the kernel writes one: what is read is whole, newest first, complete.
 */
#include "source/backward.h"

#include <string.h>

#include "tap.h"

#define RING_SZ 4096u

struct rec {
	struct perf_event_header hdr;
	uint64_t seq;
	char rest[];
};

struct ring {
	char data[RING_SZ] __attribute__((aligned(8)));
	uint64_t head;
	uint64_t seq;
};

/*
 * perf_output_begin_backward(): the head goes down by the record's size, which is a multiple of 8.
 */
static void write_rec(struct ring *r, uint16_t sz)
{
	char rec[256] __attribute__((aligned(8))) = { 0 };
	struct rec *p = (void *)rec;
	uint16_t i;

	p->hdr.type = PERF_RECORD_SAMPLE;
	p->hdr.size = sz;
	p->seq = ++r->seq;
	for (i = sizeof(*p); i < sz; i++)
		rec[i] = (char)p->seq;
	r->head -= sz;
	for (i = 0; i < sz; i++)
		r->data[(r->head + i) % RING_SZ] = rec[i];
}

static uint16_t next_sz(void)
{
	static uint32_t x = 777;

	x = x * 1664525u + 1013904223u;
	return (uint16_t)(16 + (x >> 8) % 29 * 8);
}

struct seen {
	uint64_t first, last, cnt, bytes;
	bool whole, in_order;
};

static int look(void *ctx, const struct perf_event_header *hdr)
{
	const struct rec *p = (const void *)hdr;
	struct seen *s = ctx;
	size_t i;

	if (!s->cnt++)
		s->first = p->seq;
	else
		s->in_order = s->in_order && p->seq == s->last + 1;
	s->last = p->seq;
	s->bytes += hdr->size;
	for (i = 0; i < hdr->size - sizeof(*p); i++)
		s->whole = s->whole && p->rest[i] == (char)p->seq;
	return 0;
}

static struct seen read_ring(struct ring *r, uint64_t prev_head)
{
	struct backward_copy copy = { NULL, 0, 0 };
	struct seen s = { .whole = true, .in_order = true };

	if (backward__copy(&copy, r->data, RING_SZ, r->head, prev_head) ||
	    backward__each(&copy, look, &s))
		ok(false, "memory for the expected records");
	backward_copy__free(&copy);
	return s;
}

static void test_empty(void)
{
	struct ring r = { .head = 0 };

	is_u64(read_ring(&r, 0).cnt, 0, "an empty ring has no record");
	write_rec(&r, 64);
	is_u64(read_ring(&r, r.head).cnt, 0, "nothing is read twice");
}

static void test_exactly_full(void)
{
	struct ring r = { .head = 0 };
	struct seen s;
	int i;

	for (i = 0; i < 64; i++)
		write_rec(&r, 64);
	s = read_ring(&r, 0);
	is_u64(s.cnt, 64, "a ring that is exactly full loses none");
	write_rec(&r, 72);
	s = read_ring(&r, 0);
	is_u64(s.first, 3, "one record more cuts the two oldest");
	is_u64(s.last, 65, "the record that cut others is read itself");
}

/*
 * At any place of the head: what is read is whole, goes up to the newest, and leaves out less than
 * one record's room.
 */
static void test_any(void)
{
	bool whole = true, in_order = true, newest = true, all = true, since = true;
	struct ring r = { .head = 0 };
	uint64_t prev = 0, prev_seq = 0;
	struct seen s;
	int i, k;

	for (i = 0; i < 4001; i++) {
		for (k = 0; k <= i % 37; k++)
			write_rec(&r, next_sz());
		s = read_ring(&r, 0);
		whole = whole && s.whole;
		in_order = in_order && s.in_order;
		newest = newest && s.last == r.seq;
		all = all && (s.first == 1 || s.bytes > RING_SZ - 256);
		s = read_ring(&r, prev);
		since = since && s.last == r.seq &&
			(s.first == prev_seq + 1 || prev - r.head > RING_SZ - 256);
		prev = r.head;
		prev_seq = r.seq;
	}
	ok(whole, "no record is torn");
	ok(in_order, "records are read oldest first, none omitted");
	ok(newest, "records are read up to the newest");
	ok(all, "all records that were not overwritten are read");
	ok(since, "a second reading begins with the next record");
}

static void test_damaged(void)
{
	struct ring r = { .head = 0 };
	int i;

	for (i = 0; i < 10; i++)
		write_rec(&r, 64);
	((struct perf_event_header *)(r.data + (r.head + 128) % RING_SZ))->size = 3;
	is_u64(read_ring(&r, 0).cnt, 2, "a size that cannot be ends the reading");
}

int main(void)
{
	test_empty();
	test_exactly_full();
	test_any();
	test_damaged();
	return done_testing();
}

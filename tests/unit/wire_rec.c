// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Outputs of programs are walked within their bounds, whatever they hold. */
#include "source/ring_sample.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

static uint32_t next_random(void)
{
	static uint32_t x = 4711;

	x = x * 1664525u + 1013904223u;
	return x >> 8;
}

/* How many records, and whether all lie within sz bytes. */
static size_t walk(const char *at, size_t sz, bool *within)
{
	const char *end = at + sz;
	const struct wire_rec *rec;
	size_t next_sz, cnt = 0;

	while ((rec = wire_rec__at(at, sz, &next_sz))) {
		*within = *within && (const char *)rec + rec->sz <= end && next_sz <= sz &&
			  next_sz >= rec->sz;
		at += next_sz;
		sz -= next_sz;
		cnt++;
	}
	return cnt;
}

static void put(char *at, uint16_t sz)
{
	struct wire_rec rec = { .sz = sz, .kind = WIRE_TP };

	memcpy(at, &rec, sizeof(rec));
}

static void test_records(void)
{
	char buf[128] __attribute__((aligned(8))) = { 0 };
	bool within = true;

	put(buf, 24);
	put(buf + 24, 17);
	put(buf + 48, 16);
	is_u64(walk(buf, 64, &within), 3, "records of 24, 17 and 16 bytes");
	is_u64(walk(buf, 63, &within), 2, "the last record is cut");
	is_u64(walk(buf, 41, &within), 2, "the padding of the last may be missing");
	put(buf + 24, 15);
	is_u64(walk(buf, 64, &within), 1, "a record shorter than its head ends the walk");
	put(buf + 24, 0);
	is_u64(walk(buf, 64, &within), 1, "a record of size 0 ends the walk");
	is_u64(walk(buf, 0, &within), 0, "an empty area holds no record");
	ok(within, "all records were within their bounds");
}

static void test_samples(void)
{
	struct {
		struct ring_sample rs;
		char recs[64];
	} s = { .rs = { .hdr = { PERF_RECORD_SAMPLE, 0, sizeof(s) }, .raw_sz = 4 + 64 } };

	is_u64(ring_sample__recs_sz(&s.rs.hdr), 64, "a sample of 64 bytes of records");
	s.rs.raw_sz += 1;
	is_u64(ring_sample__recs_sz(&s.rs.hdr), 0, "more raw data than the sample has");
	s.rs.raw_sz = UINT32_MAX;
	is_u64(ring_sample__recs_sz(&s.rs.hdr), 0, "far more raw data than the sample has");
	s.rs.raw_sz = 3;
	is_u64(ring_sample__recs_sz(&s.rs.hdr), 0, "less raw data than its head");
	s.rs.raw_sz = 4;
	s.rs.hdr.size = 12;
	is_u64(ring_sample__recs_sz(&s.rs.hdr), 0, "a sample that is cut");
}

/* Random bytes in an allocation of just their size: the sanitizer sees any step beyond. */
static void test_random(void)
{
	bool within = true;
	size_t i, k, cnt = 0;

	for (i = 0; i < 20011; i++) {
		size_t sz = next_random() % 300;
		char *buf = malloc(sz);

		for (k = 0; k < sz; k++)
			buf[k] = (char)(k % 8 == 1 ? 0 : next_random() % 64);
		cnt += walk(buf, sz, &within);
		free(buf);
	}
	ok(within && cnt > 1000, "%zu records of random bytes lie within them", cnt);
}

int main(void)
{
	test_records();
	test_samples();
	test_random();
	return done_testing();
}

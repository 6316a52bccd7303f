// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Rings read to the byte: records that the end cuts, what is counted in passing, AUX data that has
 * gone round.
 */
#include "source/aux_ring.h"
#include "source/perf_ring.h"

#include "tap.h"

#define RING_SZ 4096
#define AUX_SZ 4096

static uint32_t next_random(void)
{
	static uint32_t x = 4711;

	x = x * 1664525u + 1013904223u;
	return x >> 8;
}

/* The kernel's side of a ring. */
struct writer {
	struct perf_event_mmap_page page;
	char data[RING_SZ] __attribute__((aligned(8)));
	uint64_t seq, samples, lost;
};

/* Each record: header, its number as often as fits. False: there is no room for one. */
static bool write_record(struct writer *w)
{
	uint64_t body[64], head = w->page.data_head;
	size_t words = 2 + next_random() % 60, i;
	struct perf_event_header hdr = {
		.type = next_random() % 10 ? PERF_RECORD_SAMPLE : PERF_RECORD_LOST,
		.size = (uint16_t)(8 + 8 * words),
	};

	if (head + hdr.size - w->page.data_tail > RING_SZ)
		return false;
	for (i = 0; i < words; i++)
		body[i] = w->seq;
	w->samples += hdr.type == PERF_RECORD_SAMPLE;
	/* PERF_RECORD_LOST: id, then how many. */
	w->lost += hdr.type == PERF_RECORD_LOST ? w->seq : 0;
	for (i = 0; i < hdr.size; i++)
		w->data[(head + i) % RING_SZ] = i < 8 ? ((char *)&hdr)[i] : ((char *)body)[i - 8];
	w->page.data_head = head + hdr.size;
	w->seq++;
	return true;
}

struct reader {
	uint64_t next, bad, pieces, times_bad;
	struct perf_ring *ring;
};

static int on_recs(void *ctx, const void *recs, size_t sz)
{
	const struct perf_event_header *last = NULL;
	struct reader *r = ctx;
	const char *at = recs, *end = at + sz;

	r->pieces++;
	while (at < end) {
		const struct perf_event_header *h = (const void *)at;
		const uint64_t *body = (const void *)(h + 1);
		size_t i;

		for (i = 0; i < (h->size - sizeof(*h)) / 8; i++)
			r->bad += body[i] != r->next;
		if (h->type == PERF_RECORD_SAMPLE)
			last = h;
		r->next++;
		at += h->size;
	}
	r->bad += at != end;
	r->times_bad += last != r->ring->last_sample;
	return 0;
}

static void test_drain(void)
{
	static struct writer w;
	struct perf_ring ring = { .page = &w.page, .data = w.data, .sz = RING_SZ };
	struct reader r = { .ring = &ring };
	uint64_t rounds = 3001, i, bad_tail = 0;
	int err = 0;

	for (i = 0; i < rounds && !err; i++) {
		uint32_t cnt = next_random() % 40;

		while (cnt-- && write_record(&w))
			;
		err = perf_ring__drain(&ring, on_recs, &r);
		bad_tail += w.page.data_tail != w.page.data_head;
	}
	is_u64(err, 0, "a ring is drained without an error");
	is_u64(r.next, w.seq, "a ring: every record once: %" PRIu64, w.seq);
	is_u64(r.bad, 0, "a ring: records are whole, and in order");
	is_u64(bad_tail, 0, "a ring: the room is released");
	is_u64(ring.counts.records, w.seq, "a ring: records are counted");
	is_u64(ring.counts.samples, w.samples, "a ring: samples are counted");
	is_u64(ring.counts.lost, w.lost, "a ring: losses of LOST are counted");
	is_u64(r.times_bad, 0, "a ring: the last sample of a piece is known");
	ok(r.pieces < 3 * rounds, "in large pieces: %" PRIu64 " of %" PRIu64 " records", r.pieces,
	   w.seq);
}

static int on_garbage(void *ctx, const void *recs, size_t sz)
{
	return 0;
}

/* A record that no kernel writes ends the round, not the program. */
static void test_garbage(void)
{
	static struct writer w;
	struct perf_ring ring = { .page = &w.page, .data = w.data, .sz = RING_SZ };
	uint64_t i, j, bad = 0;

	for (i = 0; i < 2003; i++) {
		for (j = 0; j < RING_SZ; j++)
			w.data[j] = (char)next_random();
		w.page.data_head += 8 * (next_random() % (RING_SZ / 8));
		bad += perf_ring__drain(&ring, on_garbage, NULL) != 0;
		bad += w.page.data_tail != w.page.data_head;
	}
	is_u64(bad, 0, "random bytes are read to their end");
}

static int count_bits(void *ctx, const void *recs, size_t sz)
{
	const char *at = recs, *end = at + sz;
	uint64_t *cnt = ctx;

	for (; at < end; at += ((const struct perf_event_header *)at)->size) {
		const struct perf_event_header *h = (const void *)at;

		cnt[h->type == PERF_RECORD_MMAP2] += !!(h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID);
	}
	return 0;
}

/*
 * Another recorder that asks for build ids: the kernel sets the bit in the records of all rings.
 * Bit 14 of a sample is PERF_RECORD_MISC_EXACT_IP.
 */
static void test_foreign_build_ids(bool no_build_ids, const char *name)
{
	static struct writer w;
	struct perf_ring ring = {
		.page = &w.page, .data = w.data, .sz = RING_SZ, .no_build_ids = no_build_ids
	};
	struct perf_event_header hdr = { .misc = PERF_RECORD_MISC_MMAP_BUILD_ID, .size = 128 };
	uint64_t cnt[2] = { 0 }, i, j;

	memset(&w, 0, sizeof(w));
	for (i = 0; i < 2 * RING_SZ / 128; i++) {
		hdr.type = i & 1 ? PERF_RECORD_MMAP2 : PERF_RECORD_SAMPLE;
		for (j = 0; j < sizeof(hdr); j++)
			w.data[(w.page.data_head + j) % RING_SZ] = ((char *)&hdr)[j];
		w.page.data_head += hdr.size;
		perf_ring__drain(&ring, count_bits, cnt);
	}
	ok(((struct perf_event_header *)(w.data + 128))->misc,
	   "%s: the ring itself is not written to", name);
	is_u64(cnt[1], no_build_ids ? 0 : i / 2, "%s: MMAP2 with the bit of build ids", name);
	is_u64(cnt[0], i / 2, "%s: bit 14 of samples is unchanged", name);
}

/*
 * A PMU that writes words, each one more than the last. by_place: its head is a place in the area.
 */
struct pmu {
	struct perf_event_mmap_page page;
	uint64_t data[AUX_SZ / 8], word;
	bool by_place;
};

static void write_words(struct pmu *p, uint64_t cnt)
{
	for (; cnt; cnt--) {
		p->data[p->word % (AUX_SZ / 8)] = p->word + 1;
		p->word++;
	}
	p->page.aux_head = p->by_place ? p->word * 8 % AUX_SZ : p->word * 8;
}

/* The word at i of both parts. */
static uint64_t word_at(const struct aux_data *d, size_t i)
{
	const uint64_t *one = d->data1, *two = d->data2;

	return i < d->sz1 / 8 ? one[i] : two[i - d->sz1 / 8];
}

static uint64_t wrong_words(const struct aux_data *d, uint64_t first)
{
	uint64_t bad = 0;
	size_t i;

	for (i = 0; i < (d->sz1 + d->sz2) / 8; i++)
		bad += word_at(d, i) != first + i;
	return bad;
}

static void test_aux_read(void)
{
	static struct pmu p;
	struct aux_ring a = { .page = &p.page, .data = (char *)p.data, .sz = AUX_SZ };
	uint64_t next = 1, bad = 0, cut = 0, i;
	struct aux_data d;

	for (i = 0; i < 1009; i++) {
		write_words(&p, next_random() % (AUX_SZ / 8));
		if (!aux_ring__read(&a, &d))
			continue;
		bad += wrong_words(&d, next) + (d.off != (next - 1) * 8);
		next += (d.sz1 + d.sz2) / 8;
		cut += d.sz2 != 0;
		aux_ring__done(&a);
		bad += p.page.aux_tail != p.page.aux_head;
	}
	is_u64(bad, 0, "AUX data in full, each byte at its place");
	is_u64(next - 1, p.word, "AUX data up to the last word");
	ok(cut > 100, "the end of the area was within it %" PRIu64 " times", cut);
}

/* Steps of up to twice the area, and sometimes none. */
static void test_snapshots(bool by_place, size_t max, const char *what)
{
	static struct pmu p;
	struct aux_ring a = { .page = &p.page, .data = (char *)p.data, .sz = AUX_SZ };
	uint64_t bad = 0, missing = 0, before = 0, i;
	struct aux_data d;

	memset(&p, 0, sizeof(p));
	p.by_place = by_place;
	a.snapshot = true;
	for (i = 0; i < 1013; i++) {
		uint64_t sz, fresh;

		/* At first so little that the area is not full for some rounds. */
		write_words(&p, i < 7 ? 20 + i : 1 + next_random() % (AUX_SZ / 4));
		if (!aux_ring__snapshot(&a, max, &d)) {
			missing++;
			continue;
		}
		sz = d.sz1 + d.sz2;
		fresh = (p.word - before) * 8;
		before = p.word;
		bad += wrong_words(&d, p.word - sz / 8 + 1);
		/*
		 * All that is new, as far as it is asked for, and nothing that was never written.
		 */
		bad += sz > p.word * 8 || sz > AUX_SZ || (max && sz > max);
		bad += sz < fresh && sz != AUX_SZ && sz != max;
	}
	is_u64(bad, 0, "%s: each snapshot has the newest, in order", what);
	is_u64(missing, 0, "%s: none is missing", what);
}

int main(void)
{
	static struct pmu p;
	struct aux_ring a = { .page = &p.page, .data = (char *)p.data, .sz = AUX_SZ };
	struct aux_data d;

	test_drain();
	test_garbage();
	test_foreign_build_ids(true, "a ring without build ids");
	test_foreign_build_ids(false, "a ring with build ids");
	test_aux_read();
	test_snapshots(false, 0, "a head that counts bytes");
	test_snapshots(true, 0, "a head that is a place");
	test_snapshots(false, 512, "512 bytes of a head that counts");
	test_snapshots(true, 512, "512 bytes of a head that is a place");
	ok(!aux_ring__snapshot(&a, 0, &d), "a snapshot of an unwritten area is empty");
	return done_testing();
}

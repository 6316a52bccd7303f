// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * aux_file trace FILE MIN_BYTES: of a recording of testaux//, whether its AUX data has all words of
 * the PMU, one after the other, save where PERF_RECORD_AUX says that some were left out.
 *
 * aux_file snapshots FILE SNAPSHOTS SIZE: whether each CPU has so many snapshots of that size or,
 * the first, less, and each ends with the newest word that its PERF_RECORD_AUX knows of.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

#define WORD_TAG 0x7e57ull
#define WORD_MASK ((1ull << 48) - 1)
#define RECORD_AUXTRACE 71
#define CPUS_MAX 64
#define RECORDS_MAX 65536
/* In the file's header: where the records are. */
#define DATA_OFF_AT 40
/* Behind each record of testaux//: pid and tid, time, CPU, id. */
#define TRAILER_SZ 32
#define TRAILER_CPU_AT 16

/* The fields of an AUX record. */
struct told {
	uint64_t off, sz, flags;
};

struct piece {
	uint64_t off, sz;
	const uint64_t *words;
};

struct cpu_data {
	struct told told[RECORDS_MAX];
	struct piece pieces[RECORDS_MAX];
	size_t reported_cnt, piece_cnt;
};

static struct cpu_data cpus[CPUS_MAX];

static uint64_t u64_at(const void *p, size_t off)
{
	uint64_t val;

	memcpy(&val, (const char *)p + off, sizeof(val));
	return val;
}

static uint32_t u32_at(const void *p, size_t off)
{
	uint32_t val;

	memcpy(&val, (const char *)p + off, sizeof(val));
	return val;
}

static struct cpu_data *cpu_of(uint32_t cpu)
{
	/* -1, of a thread's ring, is all that there is then. */
	return &cpus[cpu < CPUS_MAX ? cpu : CPUS_MAX - 1];
}

static void take_aux(const struct perf_event_header *h, bool of_thread)
{
	uint32_t cpu = of_thread ? UINT32_MAX : u32_at(h, h->size - TRAILER_SZ + TRAILER_CPU_AT);
	struct cpu_data *c = cpu_of(cpu);

	if (c->reported_cnt < RECORDS_MAX)
		c->told[c->reported_cnt++] =
			(struct told){ u64_at(h, 8), u64_at(h, 16), u64_at(h, 24) };
}

/* Bytes of the record with the data behind it. */
static uint64_t take_auxtrace(const struct perf_event_header *h)
{
	struct cpu_data *c = cpu_of(u32_at(h, 40));
	uint64_t sz = u64_at(h, 8);

	if (c->piece_cnt < RECORDS_MAX)
		c->pieces[c->piece_cnt++] =
			(struct piece){ u64_at(h, 16), sz,
					(const void *)((const char *)h + h->size) };
	return h->size + sz;
}

/* Takes the records between two places of the file. False: they are damaged. */
static bool take_records(const char *at, const char *end, bool of_thread)
{
	while (at < end) {
		const struct perf_event_header *h = (const void *)at;
		uint64_t sz = h->size;

		if (sz < sizeof(*h))
			return false;
		if (h->type == PERF_RECORD_AUX)
			take_aux(h, of_thread);
		else if (h->type == RECORD_AUXTRACE)
			sz = take_auxtrace(h);
		at += sz;
	}
	return at == end;
}

static bool load(const char *path, bool of_thread)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	uint64_t off;
	char *p;

	if (!ok(fd >= 0 && !fstat(fd, &st), "%s is there", path))
		return false;
	p = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (!ok(p != MAP_FAILED && st.st_size > 104, "the file is a recording"))
		return false;
	off = u64_at(p, DATA_OFF_AT);
	return ok(take_records(p + off, p + off + u64_at(p, DATA_OFF_AT + 8), of_thread),
		  "records of the recording are whole");
}

struct sums {
	uint64_t bytes, truncated, bad, gaps, left_out, holes, others;
};

/* Is off the end of a record that said it was truncated? It may be an empty one, behind another. */
static bool is_truncated_at(const struct cpu_data *c, uint64_t off)
{
	size_t i;

	for (i = 0; i < c->reported_cnt; i++)
		if (c->told[i].off + c->told[i].sz == off &&
		    c->told[i].flags & PERF_AUX_FLAG_TRUNCATED)
			return true;
	return false;
}

static void check_piece(const struct cpu_data *c, const struct piece *p, uint64_t *last,
			struct sums *s)
{
	uint64_t i, word;

	for (i = 0; i < p->sz / 8; i++) {
		word = p->words[i] & WORD_MASK;
		s->bad += p->words[i] >> 48 != WORD_TAG;
		if (word != *last + 1 && (s->bytes || i)) {
			if (word > *last && is_truncated_at(c, p->off + i * 8))
				s->left_out += word - *last - 1;
			else
				s->gaps++;
		}
		*last = word;
	}
	s->bytes += p->sz;
}

static struct sums check_cpu(const struct cpu_data *c)
{
	uint64_t last = 0, next = c->piece_cnt ? c->pieces[0].off : 0, told = next;
	struct sums s = { 0 };
	size_t i;

	for (i = 0; i < c->piece_cnt; i++) {
		s.holes += c->pieces[i].off != next;
		check_piece(c, &c->pieces[i], &last, &s);
		next = c->pieces[i].off + c->pieces[i].sz;
	}
	for (i = 0; i < c->reported_cnt; i++) {
		s.truncated += !!(c->told[i].flags & PERF_AUX_FLAG_TRUNCATED);
		s.others += c->told[i].off != told;
		told = c->told[i].off + c->told[i].sz;
	}
	/* The records describe exactly the data that is there. */
	s.others += told != next;
	return s;
}

static void check_trace(uint64_t min_bytes)
{
	struct sums sum = { 0 };
	size_t i;

	for (i = 0; i < CPUS_MAX; i++) {
		struct sums s = check_cpu(&cpus[i]);

		sum.bytes += s.bytes;
		sum.truncated += s.truncated;
		sum.bad += s.bad;
		sum.gaps += s.gaps;
		sum.left_out += s.left_out;
		sum.holes += s.holes;
		sum.others += s.others;
	}
	printf("# %" PRIu64 " bytes, %" PRIu64 " truncated, %" PRIu64 " words left out\n",
	       sum.bytes, sum.truncated, sum.left_out);
	ok(sum.bytes >= min_bytes, "there are %" PRIu64 " bytes", sum.bytes);
	is_u64(sum.bad, 0, "no word that was not written");
	is_u64(sum.gaps, 0, "no gap that no record tells of");
	is_u64(sum.holes, 0, "each piece begins where the one before ends");
	is_u64(sum.others, 0, "AUX records tell of what is there, and of no more");
	ok(!sum.left_out == !sum.truncated,
	   "words are left out where records say so, and nowhere else");
}

static void check_snapshots_of(size_t cpu, uint64_t cnt, uint64_t sz)
{
	const struct cpu_data *c = &cpus[cpu];
	uint64_t bad = 0, old = 0, short_cnt = 0, wrapped = 0, i, j;

	is_u64(c->piece_cnt, cnt, "CPU %zu: as many snapshots as were asked for", cpu);
	is_u64(c->reported_cnt, cnt, "CPU %zu: an AUX record for each", cpu);
	for (i = 0; i < c->piece_cnt && i < c->reported_cnt; i++) {
		const struct piece *p = &c->pieces[i];
		uint64_t words = p->sz / 8, newest = c->told[i].off / 8 - 1;

		for (j = 0; j < words; j++)
			bad += p->words[j] != (WORD_TAG << 48 | (newest - words + 1 + j));
		old += !words || (p->words[words - 1] & WORD_MASK) != newest;
		short_cnt += p->sz != sz;
		wrapped += (c->told[i].off & (sz - 1)) != 0 && p->sz == sz;
	}
	is_u64(bad, 0, "CPU %zu: each word is one more than the one before", cpu);
	is_u64(old, 0, "CPU %zu: the last is the newest", cpu);
	ok(short_cnt <= cnt / 4, "CPU %zu: they hold all of the area but for %" PRIu64, cpu,
	   short_cnt);
	ok(wrapped > 0, "CPU %zu: %" PRIu64 " go round the end of the area", cpu, wrapped);
}

int main(int argc, char **argv)
{
	bool snapshots = argc == 5 && !strcmp(argv[1], "snapshots");
	bool of_thread = argc == 4 && !strcmp(argv[1], "thread");
	size_t i, used = 0;

	if (!snapshots && !of_thread && (argc != 4 || strcmp(argv[1], "trace"))) {
		fprintf(stderr, "usage: aux_file trace|thread FILE MIN_BYTES\n"
				"       aux_file snapshots FILE CNT SIZE\n");
		return 2;
	}
	if (!load(argv[2], of_thread))
		return done_testing();
	if (!snapshots)
		check_trace(strtoull(argv[3], NULL, 0));
	for (i = 0; i < CPUS_MAX && snapshots; i++) {
		if (!cpus[i].piece_cnt)
			continue;
		used++;
		check_snapshots_of(i, strtoull(argv[3], NULL, 0), strtoull(argv[4], NULL, 0));
	}
	ok(!snapshots || used > 0, "there are snapshots");
	return done_testing();
}

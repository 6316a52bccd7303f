// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The chunks that the bytes of AUX areas are cut into. */
#include "itrace/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "data/recording.h"
#include "tap.h"

#define SECOND 1000000000ull

/* The bytes of an AUX area, as they were recorded. */
static uint8_t bytes[4u << 20];
static struct collect_piece pieces[16];
static size_t piece_cnt, file_sz;
static int fd;

static void begin(void)
{
	memset(bytes, 0x19, sizeof(bytes));
	piece_cnt = file_sz = 0;
	if (ftruncate(fd, 0))
		exit(99);
}

static void put_psb(size_t at, uint64_t tsc)
{
	size_t i;

	for (i = 0; i < 16; i += 2) {
		bytes[at + i] = 0x02;
		bytes[at + i + 1] = 0x82;
	}
	tsc = tsc << 8 | 0x19;
	memcpy(bytes + at + 16, &tsc, 8);
}

/* The file has these bytes of the area, and padding, as perf writes a record. */
static void put_piece(uint64_t from, uint64_t to)
{
	const uint64_t sz = (to - from + 7) & ~7ull, zero = 0;

	pieces[piece_cnt++] = (struct collect_piece){ file_sz, sz, from };
	if (pwrite(fd, bytes + from, to - from, (off_t)file_sz) != (ssize_t)(to - from) ||
	    pwrite(fd, &zero, sz - (to - from), (off_t)(file_sz + to - from)) < 0)
		exit(99);
	file_sz += sz;
}

static struct job_plan make(void)
{
	char path[32];
	struct recording rec = { .path = path };
	struct collect_queue queue = { .tid = 1, .cpu = -1 };
	struct collect c = { .rec = &rec, .queues = &queue, .queue_cnt = 1 };
	struct itrace_options o = { 0 };
	struct job_plan plan = { 0 };

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	queue.pieces = pieces;
	queue.piece_cnt = piece_cnt;
	c.pid_of = (struct u64map)U64MAP_INIT;
	ok(!job_plan__make(&plan, &c, &o, 1), "a job is made");
	return plan;
}

static uint64_t sum(const struct job_plan *plan)
{
	uint64_t sz = 0;
	size_t i;

	for (i = 0; i < plan->chunk_cnt; i++)
		sz += plan->chunks[i].sz;
	return sz;
}

static void check_padding(void)
{
	struct job_plan plan;
	const struct itrace_chunk *c;

	begin();
	put_psb(0, 1000);
	put_psb(40001, 2000);
	put_psb(90000, 3000);
	put_piece(0, 40009);
	put_piece(40009, 50003);
	put_piece(50003, 99995);
	plan = make();
	c = plan.chunks;
	is_u64(plan.chunk_cnt, 3, "records of odd bytes follow each other: a chunk for each PSB");
	ok(c[0].sz == 40001 && c[1].sz == 49999 && c[2].sz == 9995, "padding is not theirs");
	is_u64(sum(&plan), 99995, "the bytes of the area are those of the chunks");
	ok(c[1].first_piece == 0 && c[1].skip == 40001, "a PSB may go on in the next record");
	ok(c[2].first_piece == 2 && c[2].skip == 39997, "the place of a PSB in the third record");
	ok(c[1].start_ns == 2000 && c[1].end_ns == 3000 && c[2].end_ns == UINT64_MAX,
	   "a chunk ends when the next begins");
	job_plan__free(&plan);

	begin();
	put_psb(0, 1000);
	put_psb(50008, 2000);
	put_piece(0, 50000);
	put_piece(50008, 60000);
	plan = make();
	ok(plan.chunk_cnt == 2 && plan.chunks[0].sz == 50000 && !plan.chunks[0].tail_sz,
	   "bytes that are missing end a stream");
	job_plan__free(&plan);
}

static void check_times(void)
{
	const uint64_t tsc[] = { 10 * SECOND, 11 * SECOND,     999999 * SECOND, 12 * SECOND,
				 13 * SECOND, 13 * SECOND - 5, 14 * SECOND };
	struct job_plan plan;
	size_t i, bad = 0;

	begin();
	for (i = 0; i < 7; i++)
		put_psb(i * 40000, tsc[i]);
	put_piece(0, 300000);
	plan = make();
	is_u64(plan.chunk_cnt, 7, "a chunk for each of seven PSBs");
	for (i = 0; i < plan.chunk_cnt; i++)
		bad += plan.chunks[i].aux_off != i * 40000 || plan.chunks[i].start_ns > 14 * SECOND;
	is_u64(bad, 0, "a time far on is that of damage: the chunks keep their order");
	is_u64(plan.chunks[2].start_ns, 11 * SECOND, "… and it has that of the chunk before");
	is_u64(plan.chunks[5].start_ns, 13 * SECOND, "a time that goes back by little does not");
	job_plan__free(&plan);
}

static void check_search(void)
{
	/* Across the end of a window, behind more than a window without any, at the last bytes. */
	const size_t at[] = { 32768 + (1u << 20) - 3, 3500001, 3500001 + 32769 };
	struct job_plan plan;
	size_t i, bad = 0;

	begin();
	for (i = 0; i < 3; i++)
		put_psb(at[i], (i + 1) * SECOND);
	put_piece(0, 100001);
	for (i = 100001; i < 1000001; i += 100000)
		put_piece(i, i + 100000);
	put_piece(1000001, at[2] + 24);
	plan = make();
	is_u64(plan.chunk_cnt, 4, "a chunk for each PSB, and for the bytes before the first");
	for (i = 0; i < 3 && plan.chunk_cnt == 4; i++)
		bad += plan.chunks[i + 1].aux_off != at[i];
	is_u64(bad, 0, "… which begin there");
	is_u64(plan.chunks[0].start_ns, SECOND, "bytes before a PSB have its time");
	is_u64(sum(&plan), at[2] + 24 + (-(at[2] + 24 - 1000001) & 7), "all bytes are in chunks");
	job_plan__free(&plan);

	begin();
	put_piece(0, 24);
	put_piece(32, 40);
	put_piece(40, 100000);
	plan = make();
	is_u64(plan.chunk_cnt, 2, "streams without any PSB");
	is_u64(plan.chunks[0].start_ns, 0, "… have no time, whatever their bytes are");
	job_plan__free(&plan);
}

int main(void)
{
	fd = memfd_create("areas", MFD_CLOEXEC);
	check_padding();
	check_times();
	check_search();
	return done_testing();
}

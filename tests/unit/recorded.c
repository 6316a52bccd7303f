// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The losses of a recording, and samples with counts, in script and report. */
#include <sys/mman.h>
#include <unistd.h>

#include "data/perf_sample.h"
#include "data/recording.h"
#include "decode/read_group.h"
#include "decode/replay_losses.h"
#include "perf_file_make.h"
#include "tap.h"

#define MISC_DROPPED (1 << 15) /* by a filter */

static void put_lost(struct made *m, uint32_t type, uint16_t misc, uint64_t cnt, uint64_t time_ns,
		     uint64_t id)
{
	size_t at = made_begin(m, type, misc);

	if (type == PERF_RECORD_LOST)
		made_u64(m, id);
	made_u64(m, cnt);
	made_u64(m, 0);
	made_u64(m, time_ns);
	made_u64(m, 0);
	made_u64(m, id);
	made_end(m, at);
}

/* All that a recording with these records has lost; `in_samples`: what is told of samples. */
static uint64_t lost_of(const struct made *data, uint64_t *in_samples)
{
	int fd = memfd_create("made", 0), got = 0;
	struct replay_losses gaps = { 0 };
	struct recording *rec;
	struct record raw;
	static struct made m;
	char path[64];
	uint64_t cnt;

	m.sz = 0;
	m.swap = data->swap;
	made_file(&m, data);
	sprintf(path, "/proc/self/fd/%d", fd);
	*in_samples = 0;
	rec = write(fd, m.p, m.sz) == (ssize_t)m.sz ? recording__open(path) : NULL;
	while (rec && (got = recording__next(rec, &raw)) > 0) {
		if (raw.hdr->type != PERF_RECORD_LOST && raw.hdr->type != PERF_RECORD_LOST_SAMPLES)
			continue;
		cnt = replay_losses__lost(&gaps, rec, raw.hdr);
		if (raw.hdr->type == PERF_RECORD_LOST_SAMPLES)
			*in_samples += cnt;
	}
	ok(rec && !got, "the recording is read to its end");
	recording__close(rec);
	close(fd);
	return replay_losses__lost_cnt(&gaps);
}

/* bpfperf's own LOST records have their cause, whatever the byte order. */
static void test_causes(void)
{
	uint16_t misc = lost_cause__misc(LOST_MISSED);
	struct replay_losses gaps = { 0 };
	struct recording rec = { .path = "made" };
	struct {
		struct perf_event_header hdr;
		uint64_t id, cnt;
	} r = { { PERF_RECORD_LOST, misc, sizeof(r) }, 1, 13 };
	unsigned int i;

	for (i = 0; i < LOST_CAUSE_CNT; i++)
		is_u64(lost_cause__of_misc(lost_cause__misc((enum lost_cause)i)), i, "cause %u", i);
	is_u64(lost_cause__of_misc(0), LOST_RING_FULL, "the kernel's LOST are of full rings");
	is_u64(lost_cause__of_misc(0xffff), LOST_RING_FULL, "a cause that is not there is none");
	is_u64(replay_losses__lost(&gaps, &rec, &r.hdr), 13, "missed records are told");
	is_u64(gaps.reported_cnt, 0, "missed records are not those of full rings");
	is_u64(gaps.by_cause[LOST_MISSED], 13, "missed records are counted as such");
	is_u64(replay_losses__lost_cnt(&gaps), 13, "missed records are among all that are missing");
}

static void test_lost(bool swap)
{
	static struct made m;
	uint64_t in_samples;

	printf("# %s byte order\n", swap ? "the other" : "this");
	m = (struct made){ .swap = swap };
	put_lost(&m, PERF_RECORD_LOST, 0, 101, 11, MADE_ID);
	put_lost(&m, PERF_RECORD_LOST, 0, 203, 13, MADE_ID);
	is_u64(lost_of(&m, &in_samples), 304, "what LOST tells of is added up");
	is_u64(in_samples, 0, "of samples alone nothing is told");

	put_lost(&m, PERF_RECORD_LOST_SAMPLES, 0, 17, 17, MADE_ID);
	is_u64(lost_of(&m, &in_samples), 321, "samples that hardware has lost come to it");
	put_lost(&m, PERF_RECORD_LOST_SAMPLES, 0, 5, 0, 0);
	is_u64(lost_of(&m, &in_samples), 326,
	       "samples that no LOST reported, as bpfperf writes them, are added");

	put_lost(&m, PERF_RECORD_LOST_SAMPLES, 0, 111, 0, MADE_ID);
	put_lost(&m, PERF_RECORD_LOST_SAMPLES, 0, 193, 0, MADE_ID);
	is_u64(lost_of(&m, &in_samples), 326, "sums that perf writes at its end: nothing new");
	put_lost(&m, PERF_RECORD_LOST_SAMPLES, 0, 7, 0, MADE_ID);
	is_u64(lost_of(&m, &in_samples), 333, "sums of perf beyond the LOST records are added");

	put_lost(&m, PERF_RECORD_LOST_SAMPLES, MISC_DROPPED, 1009, 0, MADE_ID);
	is_u64(lost_of(&m, &in_samples), 333, "what a filter dropped is not lost");
	is_u64(in_samples, 17 + 5 + 111 + 193 + 7, "of samples all is told, as by perf");
}

#define COUNTER_ID 1001 /* of the first counter; the other is one more */

struct grown {
	uint64_t ids[2], periods[2];
	size_t cnt;
};

static void add_grown(struct grown *g, const struct perf_sample *s)
{
	if (g->cnt < 2) {
		g->ids[g->cnt] = s->id;
		g->periods[g->cnt] = s->period;
	}
	g->cnt++;
}

/* A thread's sample with the counts of both; by how much they grew is `want`, 0 being no sample. */
static void check_growth(struct read_group *rg, const struct attrs *attrs, uint32_t tid,
			 const uint64_t *counts, const uint64_t *want, const char *name)
{
	const uint64_t words[] = { 2, counts[0], COUNTER_ID, counts[1], COUNTER_ID + 1 };
	const struct perf_sample s = {
		.event = &attrs->events[0],
		.have = PERF_SAMPLE_READ | PERF_SAMPLE_TID,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID,
		.tid = tid,
		.read = { (const uint8_t *)words, 5, false },
	};
	struct grown got = { 0 };
	struct perf_sample one;
	size_t i, at = 0;
	int err;

	read_group__begin(rg, &s);
	while ((err = read_group__next(rg, attrs, &s, &one)) > 0)
		add_grown(&got, &one);
	is_s64(err, 0, "%s", name);
	for (i = 0; i < 2; i++) {
		if (!want[i])
			continue;
		is_u64(at < 2 ? got.ids[at] : 0, COUNTER_ID + i, "%s: counter %zu", name, i);
		is_u64(at < 2 ? got.periods[at] : 0, want[i], "%s: its growth", name);
		at++;
	}
	is_u64(got.cnt, at, "%s: no other", name);
}

#define CHECK_GROWTH(tid, c0, c1, g0, g1, name)                                                    \
	check_growth(&rg, &attrs, tid, (const uint64_t[]){ c0, c1 }, (const uint64_t[]){ g0, g1 }, \
		     name)

static void add_counters(struct attrs *attrs, bool is_inherited)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_READ,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID,
		.inherit = is_inherited,
		.sample_id_all = 1,
	};
	uint64_t id;
	size_t i;

	for (i = 0; i < 2; i++) {
		struct bytes b = bytes__of(&id, sizeof(id), false);

		id = COUNTER_ID + i;
		ok(!attrs__add(attrs, &attr, sizeof(attr), false) && !attrs__add_ids(attrs, i, &b),
		   "counter %zu", i);
	}
}

static void test_group(void)
{
	struct read_group rg = { 0 };
	struct attrs attrs = { 0 };

	add_counters(&attrs, false);
	CHECK_GROWTH(11, 100, 7, 100, 7, "a group's first");
	CHECK_GROWTH(13, 153, 7, 53, 0, "its counters go on, whoever runs");
	read_group__free(&rg);
	attrs__free(&attrs);
}

static void test_inherited(void)
{
	struct read_group rg = { 0 };
	struct attrs attrs = { 0 };

	add_counters(&attrs, true);
	CHECK_GROWTH(11, 100, 7, 100, 7, "inherited: the first of one thread");
	CHECK_GROWTH(13, 31, 3, 31, 3, "of another, which has counters of its own");
	CHECK_GROWTH(11, 153, 9, 53, 2, "the first goes on where it was");
	CHECK_GROWTH(13, 31, 4, 0, 1, "and so does the other");
	CHECK_GROWTH(13, 5, 1, 5, 1, "one that has got the id of a thread that has ended");
	read_group__free(&rg);
	attrs__free(&attrs);
}

int main(void)
{
	test_causes();
	test_lost(false);
	test_lost(true);
	test_group();
	test_inherited();
	return done_testing();
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Large rounds: what two rings hold of the same time is in one, ring after ring, as record
 * --overwrite dumps it.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "data/perf_sample.h"
#include "data/recording.h"
#include "data/writer.h"
#include "source/file.h"
#include "tap.h"

#define RECORD_SZ 65528

/* The first holds more than what readers held in memory once, 48 MiB. */
static const unsigned int ring_records[] = { 811, 7 };

static struct recording *rec;
static uint64_t last_ns, cnt, back;

static uint64_t time_of(void *ctx, const struct perf_event_header *hdr)
{
	return perf_sample__time(&rec->attrs, rec->swap, hdr);
}

static int on_record(void *ctx, const struct record *r)
{
	if (r->hdr->type != PERF_RECORD_SAMPLE)
		return 0;
	cnt++;
	back += r->time_ns < last_ns;
	last_ns = r->time_ns;
	return 0;
}

static int write_ring(struct data_writer *w, unsigned int ring)
{
	static uint64_t words[RECORD_SZ / 8];
	const struct perf_event_header hdr = { .type = PERF_RECORD_SAMPLE, .size = RECORD_SZ };
	unsigned int i;
	int err = 0;

	memcpy(words, &hdr, sizeof(hdr));
	words[1] = 1001;
	for (i = 0; i < ring_records[ring] && !err; i++) {
		words[2] = 5000 + 2 * i + ring;
		err = data_writer__write(w, words, RECORD_SZ);
	}
	return err;
}

static int write_recording(const char *path)
{
	const struct data_writer_opts opts = { 0 };
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME,
		.sample_id_all = 1,
	};
	const uint64_t id = 1001;
	struct data_writer *w;
	unsigned int ring;
	int err = data_writer__open(&w, path, &opts);

	if (!err)
		err = data_writer__add_attr(w, &attr, &id, 1, "clock");
	if (!err)
		err = data_writer__begin(w);
	for (ring = 0; ring < 2 && !err; ring++)
		err = write_ring(w, ring);
	if (!err)
		err = data_writer__round(w);
	if (!err)
		err = data_writer__finish(w);
	data_writer__free(w);
	return err;
}

int main(void)
{
	struct source *src;
	char path[64];
	int fd = memfd_create("order", MFD_CLOEXEC);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ok(fd >= 0 && !write_recording(path), "a recording is written");
	rec = recording__open(path);
	if (!ok(rec != NULL, "the recording is opened"))
		return done_testing();
	src = file_source__new(rec, time_of, NULL);
	is_s64(source__drain(src, true, on_record, NULL), 0, "the recording is read to its end");
	is_u64(cnt, ring_records[0] + ring_records[1], "the recording has all records");
	is_u64(back, 0, "records come in the order of time");
	is_u64(source__late(src), 0, "no record is counted as late");
	source__free(src);
	recording__close(rec);
	close(fd);
	return done_testing();
}

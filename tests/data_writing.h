/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Recordings of records that can be made again, to be compared with what is read. */
#ifndef BPFPERF_TESTS_DATA_WRITING_H
#define BPFPERF_TESTS_DATA_WRITING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "data/perf_file.h"
#include "data/recording.h"
#include "data/writer.h"
#include "event/tracefs.h"

#define ROUND_OF 307 /* records */
#define AUX_SZ 4099 /* of one piece of AUX data */

static char dir[] = "/tmp/bpfperf-writer.XXXXXX";
static char path[sizeof(dir) + 64];

static struct perf_event_attr clock_attr(void)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(struct perf_event_attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME,
		.sample_id_all = 1,
	};
}

/*
 * The i-th record: a sample of any size up to the largest there is, that repeats itself a little.
 */
static size_t make_record(uint64_t *rec, uint32_t i)
{
	struct perf_event_header hdr = { .type = PERF_RECORD_SAMPLE };
	uint64_t x = i * 0x9e3779b97f4a7c15ull;
	size_t words = i % 1009 == 0 ? 65528 / 8 : 4 + i % 31, at;

	hdr.size = (uint16_t)(words * 8);
	memcpy(rec, &hdr, sizeof(hdr));
	rec[1] = 1001;
	rec[2] = 5000 + i;
	for (at = 3; at < words; at++) {
		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		rec[at] = at % 3 ? x : 7;
	}
	return words * 8;
}

static struct data_writer *open_writer(const char *to, bool zstd)
{
	const struct data_writer_opts opts = { .zstd = zstd,
					       .use_clockid = true,
					       .clockid = CLOCK_MONOTONIC };
	const uint64_t ids[] = { 1001, 1003, 1007 };
	struct perf_event_attr attr = clock_attr();
	struct data_writer *w;

	if (data_writer__open(&w, to, &opts) || data_writer__add_attr(w, &attr, ids, 3, "my clock"))
		return NULL;
	attr.type = PERF_TYPE_TRACEPOINT;
	attr.sample_type |= PERF_SAMPLE_RAW;
	attr.config = 77;
	if (data_writer__add_attr(w, &attr, ids, 0, "demo:demo") || data_writer__begin(w))
		return NULL;
	return w;
}

static int write_records(struct data_writer *w, uint32_t cnt, bool aux)
{
	static uint64_t rec[65536 / 8];
	static uint8_t data[AUX_SZ];
	struct {
		struct perf_event_header hdr;
		uint64_t sz, off, reference;
		uint32_t idx, tid, cpu, zero;
	} auxtrace = { .hdr = { PERF_USER_AUXTRACE, 0, sizeof(auxtrace) },
		       .sz = (AUX_SZ + 7) & ~7u };
	uint32_t i;
	int err = 0;

	memset(data, 0xa5, sizeof(data));
	for (i = 0; i < cnt && !err; i++) {
		err = data_writer__write(w, rec, make_record(rec, i));
		if (!err && i % ROUND_OF == ROUND_OF - 1)
			err = data_writer__round(w);
		if (!err && aux && i % 5003 == 5002)
			err = data_writer__write_aux(w, &auxtrace.hdr, data, 4000, data + 4000,
						     AUX_SZ - 4000);
	}
	return err;
}

/* Reads all there is: how many samples, whether each is as it was made. */
__attribute__((unused)) static uint32_t read_back(const char *from, bool *is_same,
						  struct recording **rec_p, unsigned int *aux_cnt)
{
	static uint64_t want[65536 / 8];
	struct recording *rec = recording__open(from);
	struct record raw;
	uint32_t cnt = 0;
	int got = 0;

	*is_same = false;
	*rec_p = rec;
	*aux_cnt = 0;
	if (!rec)
		return 0;
	*is_same = true;
	while ((got = recording__next(rec, &raw)) > 0) {
		*aux_cnt += raw.hdr->type == PERF_USER_AUXTRACE;
		if (raw.hdr->type != PERF_RECORD_SAMPLE)
			continue;
		if (make_record(want, cnt) != raw.hdr->size ||
		    memcmp(want, raw.hdr, raw.hdr->size) != 0)
			*is_same = false;
		cnt++;
	}
	if (got < 0)
		*is_same = false;
	return cnt;
}

static void put_file(const char *name, const char *text)
{
	char at[256];
	FILE *f;

	snprintf(at, sizeof(at), "%s/%s", dir, name);
	f = fopen(at, "w");
	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

/* A tracefs with one event. */
__attribute__((unused)) static void make_tracefs(void)
{
	char at[256];

	snprintf(at, sizeof(at), "mkdir -p %s/events/demo/demo", dir);
	if (system(at))
		exit(1);
	put_file("events/header_page", "page");
	put_file("events/header_event", "event");
	put_file("printk_formats", "0xffffffff81000000 : \"seven\"\n");
	put_file("events/demo/demo/format",
		 "name: demo\nID: 77\nformat:\n"
		 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		 "\tfield:u64 value;\toffset:8;\tsize:8;\tsigned:0;\n\n"
		 "print fmt: \"value=%llu\", REC->value\n");
	tracefs__set_dir(dir);
}

#endif

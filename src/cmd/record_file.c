// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/record_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "cmd/record_auxtrace.h"
#include "cmd/record_opts.h"
#include "cmd/record_rings.h"
#include "data/record_layout.h"
#include "data/writer.h"
#include "kernel/bpf_symbols.h"
#include "perf/sampling.h"
#include "machine/synthesize.h"
#include "util/log.h"
#include "util/worker.h"

/* Where a sample's time is: behind the header, id, ip and thread, which all samples have (sampling_attr.c). */
#define SAMPLE_TIME_WORD 3

static int open_writer(struct record_file *f)
{
	const struct data_writer_opts opts = {
		.zstd = f->opts->zstd,
		.level = (int)f->opts->zstd_level,
		.argv = f->argv,
		.keep_old = true,
		.use_clockid = f->opts->use_clockid,
		.clockid = f->opts->clockid,
		.worker = f->worker,
	};

	return data_writer__open(&f->w, f->opts->common.output, &opts);
}

static int add_events(struct record_file *f)
{
	size_t i, cnt;
	int err = 0;

	for (i = 0; i < f->sampling->set.cnt && !err; i++) {
		const struct evsel *ce = &f->sampling->set.events[i];
		uint64_t *ids = sampling_events__ids(f->sampling, i, &cnt);

		err = ids ? data_writer__add_attr(f->w, &ce->attr, ids, cnt, ce->name) : -ENOMEM;
		free(ids);
	}
	return err;
}

static int write_plain(void *ctx, const void *rec, size_t sz)
{
	struct record_file *f = ctx;

	if (!f->opts->no_build_id)
		record_build_ids__note(&f->build_ids, rec, sz);
	return data_writer__write(f->w, rec, sz);
}

static int write_function(void *ctx, uint64_t addr, uint32_t len, const char *name)
{
	return synthesize__bpf_function(ctx, addr, len, name);
}

/* What there was before. */
static int write_running(struct record_file *f)
{
	const struct evsel *first = &f->sampling->set.events[0];
	struct synthesize r = {
		.trailer_sz = synthesize__trailer_sz(first->attr.sample_type),
		.mmap_data = record_opts__how(f->opts).mmap_data,
		.no_maps = f->file_cnt ? 0 : f->cmd_pid,
		.fn = write_plain,
		.ctx = f,
	};
	size_t i;
	int err = synthesize__kernel(&r);

	if (!err)
		err = bpf_symbols__each(write_function, &r);
	/* In a file behind another, what was started since runs, too. */
	if (!err && (f->whole_cpus || f->file_cnt))
		return synthesize__all(&r);
	for (i = 0; i < f->pid_cnt && !err; i++)
		err = synthesize__process(&r, f->pids[i]);
	return err;
}

int record_file__start_worker(struct record_file *f)
{
	int err;

	f->worker = worker__new();
	if (f->worker)
		return 0;
	err = -errno;
	log_error("cannot start a thread to write %s: %s", f->opts->common.output, strerror(-err));
	return err;
}

int record_file__begin(struct record_file *f)
{
	int err = open_writer(f);

	if (!err)
		err = add_events(f);
	if (!err)
		err = data_writer__begin(f->w);
	if (!err)
		err = record_auxtrace__write_info(f->w, f->sampling, f->aux_page,
						  f->opts->snapshot);
	if (!err)
		err = write_running(f);
	f->first_ns = f->last_ns = 0;
	f->dirty = true;
	f->file_cnt++;
	return err;
}

static uint64_t sample_time(const struct perf_event_header *hdr)
{
	uint64_t words[SAMPLE_TIME_WORD + 1];

	memcpy(words, hdr + 1, sizeof(words));
	return words[SAMPLE_TIME_WORD];
}

static void note_times(struct record_file *f, const void *recs,
		       const struct perf_event_header *last)
{
	const struct perf_event_header *first = recs;
	uint64_t ns = sample_time(last);

	if (ns > f->last_ns)
		f->last_ns = ns;
	while (first->type != PERF_RECORD_SAMPLE)
		first = (const void *)((const char *)first + first->size);
	ns = sample_time(first);
	if (!f->first_ns || ns < f->first_ns)
		f->first_ns = ns;
}

/* Records of processes; those that the kernel made too large are cut: perf reads no further than such a one. */
static int write_told(struct record_file *f, const void *recs, size_t sz)
{
	size_t trailer_sz = synthesize__trailer_sz(f->sampling->set.events[0].attr.sample_type),
	       rec_sz;
	const char *at = recs, *from = recs, *end = at + sz;
	char rec[1024];
	int err = 0;

	for (; at < end && !err; at += ((const struct perf_event_header *)at)->size) {
		struct perf_event_header hdr;

		memcpy(&hdr, at, sizeof(hdr));
		rec_sz = record_layout__size((const void *)at, trailer_sz);
		if (rec_sz == hdr.size || rec_sz > sizeof(rec))
			continue;
		err = data_writer__write(f->w, from, (size_t)(at - from));
		from = at + hdr.size;
		memcpy(rec, at, rec_sz);
		hdr.size = (uint16_t)rec_sz;
		memcpy(rec, &hdr, sizeof(hdr));
		if (!err)
			err = data_writer__write(f->w, rec, rec_sz);
	}
	return err ? err : data_writer__write(f->w, from, (size_t)(end - from));
}

int record_file__write(struct record_file *f, struct record_ring *ring, const void *recs, size_t sz)
{
	if (ring->ring.last_sample)
		note_times(f, recs, ring->ring.last_sample);
	if (ring->has_told && !f->opts->no_build_id)
		record_build_ids__note(&f->build_ids, recs, sz);
	f->dirty = true;
	return ring->has_told ? write_told(f, recs, sz) : data_writer__write(f->w, recs, sz);
}

int record_file__write_aux(struct record_file *f, const struct record_ring *ring,
			   const struct aux_data *data)
{
	f->dirty = true;
	return record_auxtrace__write(f->w, ring, data);
}

int record_file__write_lost(struct record_file *f, uint64_t cnt)
{
	struct {
		struct perf_event_header hdr;
		uint64_t cnt;
		char trailer[64];
	} rec = { .hdr = { .type = PERF_RECORD_LOST_SAMPLES }, .cnt = cnt };
	const struct evsel *first = &f->sampling->set.events[0];
	size_t sz = 16 + synthesize__trailer_sz(first->attr.sample_type);

	rec.hdr.size = (uint16_t)sz;
	f->dirty = true;
	return data_writer__write(f->w, &rec, sz);
}

int record_file__round(struct record_file *f)
{
	if (!f->dirty)
		return 0;
	f->dirty = false;
	return data_writer__round(f->w);
}

/* FILE.20261121183059 and hundredths, by the clock on the wall, as perf names them. */
static void name_by_time(struct record_file *f, const struct timeval *when)
{
	char stamp[32];
	struct tm tm;

	localtime_r(&when->tv_sec, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%d%H%M%S", &tm);
	snprintf(f->name, sizeof(f->name), "%s.%s%02u", f->opts->common.output, stamp,
		 (unsigned int)(when->tv_usec / 10000));
}

static int rename_to_time(struct record_file *f)
{
	const struct timeval hundredth = { 0, 10000 };
	const char *path = f->opts->common.output;
	struct timeval when;
	struct stat st;
	int err;

	/* What came there meanwhile, a link to a device, is not ours to rename. */
	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		log_error("%s is not a regular file any more, and is not renamed; give another -o",
			  path);
		return -EINVAL;
	}
	gettimeofday(&when, NULL);
	for (;;) {
		name_by_time(f, &when);
		if (!renameat2(AT_FDCWD, path, AT_FDCWD, f->name, RENAME_NOREPLACE))
			return 0;
		err = -errno;
		/* There are file systems that cannot tell. */
		if (err == -EINVAL && access(f->name, F_OK) && !rename(path, f->name))
			return 0;
		if (err != -EEXIST && (err != -EINVAL || access(f->name, F_OK)))
			break;
		/* The last dump was less than a hundredth ago. */
		timeradd(&when, &hundredth, &when);
	}
	log_error("cannot rename %s to %s: %s", path, f->name, strerror(-err));
	return err;
}

static void free_file(struct record_file *f)
{
	data_writer__free(f->w);
	f->w = NULL;
	record_build_ids__free(&f->build_ids);
}

int record_file__end(struct record_file *f, bool as_dump)
{
	int err;

	if (f->last_ns)
		data_writer__set_sample_time(f->w, f->first_ns, f->last_ns);
	err = record_file__round(f);
	if (!err && !f->opts->no_build_id)
		err = record_build_ids__write(&f->build_ids, f->w);
	if (!err)
		err = data_writer__finish(f->w);
	f->bytes += data_writer__written(f->w);
	free_file(f);
	snprintf(f->name, sizeof(f->name), "%s", f->opts->common.output);
	return err || !as_dump ? err : rename_to_time(f);
}

int record_file__switch(struct record_file *f)
{
	int err = record_file__end(f, true);

	if (err)
		return err;
	if (!f->opts->quiet)
		log_note("dump: %s", f->name);
	err = record_file__begin(f);
	if (err)
		free_file(f);
	return err;
}

void record_file__free(struct record_file *f)
{
	free_file(f);
	worker__free(f->worker);
	f->worker = NULL;
}

uint64_t record_file__written(const struct record_file *f)
{
	return f->bytes + (f->w ? data_writer__written(f->w) : 0);
}

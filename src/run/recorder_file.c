// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/recorder_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "run/recorder_auxtrace.h"
#include "run/recorder.h"
#include "source/kernel_rings.h"
#include "data/record_layout.h"
#include "data/writer.h"
#include "kernel/bpf_symbols.h"
#include "perf/auxtrace_info.h"
#include "perf/sampling.h"
#include "machine/proc_event.h"
#include "machine/synthesize.h"
#include "util/log.h"
#include "util/worker.h"

/* Index of a sample's time: behind id, ip and thread, which all samples have (sampling_attr.c). */
#define SAMPLE_TIME_WORD 3

static int open_writer(struct recorder_file *f)
{
	const struct data_writer_opts opts = {
		.zstd = f->cfg->zstd,
		.level = (int)f->cfg->zstd_level,
		.argv = f->argv,
		.keep_old = true,
		.use_clockid = f->cfg->how.use_clockid,
		.clockid = f->cfg->how.clockid,
		.worker = f->worker,
	};

	return data_writer__open(&f->w, f->cfg->output, &opts);
}

static int add_events(struct recorder_file *f)
{
	size_t i, cnt;
	int err = 0;

	for (i = 0; i < f->sampling->set.cnt && !err; i++) {
		const struct evsel *ce = &f->sampling->set.events[i];
		uint64_t *ids = sampling_events__ids(f->sampling, i, &cnt);

		err = ids ? data_writer__add_attr(f->w, &ce->attr, ids, cnt, ce->name) : -ENOMEM;
		if (!err && ce->leader == i)
			data_writer__set_group(f->w, ce->member_cnt);
		free(ids);
	}
	return err;
}

static void note_build_id(struct recorder_file *f, const void *rec)
{
	struct proc_event ev;

	if (f->cfg->how.no_build_id)
		return;
	proc_event__parse(rec, &ev);
	record_build_ids__note(&f->build_ids, &ev);
}

static int write_plain(void *ctx, const void *rec, size_t sz)
{
	struct recorder_file *f = ctx;

	note_build_id(f, rec);
	return data_writer__write(f->w, rec, sz);
}

static int write_function(void *ctx, uint64_t addr, uint32_t len, const char *name)
{
	return synthesize__bpf_function(ctx, addr, len, name);
}

/* Writes synthesized records: processes, mappings and kernel symbols at the begin of recording. */
static int write_running(struct recorder_file *f)
{
	const struct evsel *first = &f->sampling->set.events[0];
	struct synthesize r = {
		.trailer_sz = synthesize__trailer_sz(first->attr.sample_type),
		.mmap_data = f->cfg->how.mmap_data,
		.no_maps = f->file_cnt ? 0 : f->cmd_pid,
		.fn = write_plain,
		.ctx = f,
	};
	size_t i;
	int err = synthesize__kernel(&r);

	if (err || f->cfg->no_synthesis)
		return err;
	if (!err)
		err = bpf_symbols__each(write_function, &r);
	if (!err && f->cfg->how.cgroups)
		err = synthesize__cgroups(&r);
	/* A file after a switch also contains tasks that were started since the beginning. */
	if (!err && (f->whole_cpus || f->file_cnt))
		return synthesize__all(&r);
	for (i = 0; i < f->pid_cnt && !err; i++)
		err = synthesize__process(&r, f->pids[i]);
	return err;
}

int recorder_file__start_worker(struct recorder_file *f)
{
	int err;

	f->worker = worker__new();
	if (f->worker)
		return 0;
	err = -errno;
	log_error("cannot start a thread to write %s: %s", f->cfg->output, strerror(-err));
	return err;
}

static int write_aux_head(struct recorder_file *f)
{
	const struct sampling_events *c = f->sampling;
	const struct auxtrace_setup setup = {
		.event = recorder_auxtrace__event(c),
		.page = kernel_rings__aux_page(f->rings),
		.snapshot = f->cfg->snapshot,
		.whole_cpus = c->set.events[0].tids[0] == -1,
		/* The dummy is the last one. */
		.has_switches = c->set.events[c->set.cnt - 1].attr.context_switch,
	};
	int err;

	if (!setup.event || !setup.page)
		return 0;
	/* In this order, as perf does: decoders set themselves up at the last one. */
	err = recorder_auxtrace__write_clock(f->w, setup.page);
	if (!err)
		err = recorder_auxtrace__write_ids(f->w, c, f->rings);
	return err ? err : recorder_auxtrace__write_info(f->w, &setup);
}

int recorder_file__begin(struct recorder_file *f)
{
	int err = open_writer(f);

	if (!err)
		err = add_events(f);
	if (!err)
		err = data_writer__begin(f->w);
	if (!err)
		err = write_aux_head(f);
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

static void note_time(struct recorder_file *f, const struct perf_event_header *sample)
{
	uint64_t ns = sample_time(sample);

	if (ns > f->last_ns)
		f->last_ns = ns;
	if (!f->first_ns || ns < f->first_ns)
		f->first_ns = ns;
}

static void note_times(struct recorder_file *f, const void *recs,
		       const struct perf_event_header *last)
{
	const struct perf_event_header *first = recs;

	while (first->type != PERF_RECORD_SAMPLE)
		first = (const void *)((const char *)first + first->size);
	note_time(f, first);
	note_time(f, last);
}

/*
 * Writes records of processes; records beyond the kernel's size limit are cut, since perf stops
 * reading there.
 */
static int write_process_records(struct recorder_file *f, const void *recs, size_t sz)
{
	size_t trailer_sz = synthesize__trailer_sz(f->sampling->set.events[0].attr.sample_type),
	       rec_sz;
	const char *at = recs, *from = recs, *end = at + sz;
	char rec[1024];
	int err = 0;

	for (; at < end && !err; at += ((const struct perf_event_header *)at)->size) {
		struct perf_event_header hdr;

		note_build_id(f, at);
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

/*
 * Writes records without the samples after the last one that is wanted. A ring that is shared with
 * records of processes, where memory is short, may exceed the number by those of one round.
 */
static int write_limited(struct recorder_file *f, const struct record *rec)
{
	const char *at = (const char *)rec->hdr, *from = at, *end = at + rec->sz;
	struct perf_event_header hdr;
	int err = 0;

	for (; at < end && !err; at += hdr.size) {
		memcpy(&hdr, at, sizeof(hdr));
		if (hdr.type != PERF_RECORD_SAMPLE)
			continue;
		if (f->sample_cnt++ < f->cfg->max_samples) {
			note_time(f, (const struct perf_event_header *)at);
			continue;
		}
		err = data_writer__write(f->w, from, (size_t)(at - from));
		from = at + hdr.size;
	}
	return err ? err : data_writer__write(f->w, from, (size_t)(end - from));
}

static uint64_t count_samples(const struct record *rec)
{
	const char *at = (const char *)rec->hdr, *end = at + rec->sz;
	uint64_t cnt = 0;

	for (; at < end; at += ((const struct perf_event_header *)at)->size)
		cnt += ((const struct perf_event_header *)at)->type == PERF_RECORD_SAMPLE;
	return cnt;
}

bool recorder_file__has_enough(const struct recorder_file *f)
{
	return f->cfg->max_samples && f->sample_cnt >= f->cfg->max_samples;
}

int recorder_file__write(struct recorder_file *f, const struct record *rec)
{
	f->dirty = true;
	if (rec->kind == RECORD_AUX)
		return recorder_auxtrace__write(f->w, rec->ring, rec->aux);
	if (f->cfg->max_samples && !rec->ring->has_track)
		return write_limited(f, rec);
	if (f->cfg->max_samples && !rec->ring->track)
		f->sample_cnt += count_samples(rec);
	if (rec->ring->ring.last_sample)
		note_times(f, rec->hdr, rec->ring->ring.last_sample);
	return rec->ring->has_track ? write_process_records(f, rec->hdr, rec->sz)
				    : data_writer__write(f->w, rec->hdr, rec->sz);
}

int recorder_file__write_lost(struct recorder_file *f, uint64_t cnt)
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

int recorder_file__round(struct recorder_file *f)
{
	if (!f->dirty)
		return 0;
	f->dirty = false;
	return data_writer__round(f->w);
}

/* Makes FILE.20261121183059 with hundredths of a second, in local time, like perf. */
static void name_by_time(struct recorder_file *f, const struct timeval *when)
{
	char stamp[32];
	struct tm tm;

	localtime_r(&when->tv_sec, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%d%H%M%S", &tm);
	snprintf(f->name, sizeof(f->name), "%s.%s%02u", f->cfg->output, stamp,
		 (unsigned int)(when->tv_usec / 10000));
}

static int rename_to_time(struct recorder_file *f)
{
	const struct timeval hundredth = { 0, 10000 };
	const char *path = f->cfg->output;
	struct timeval when;
	struct stat st;
	int err;

	/* A file of another kind created meanwhile, such as a link to a device, is not renamed. */
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
		/* Some file systems do not support RENAME_NOREPLACE. */
		if (err == -EINVAL && access(f->name, F_OK) && !rename(path, f->name))
			return 0;
		if (err != -EEXIST && (err != -EINVAL || access(f->name, F_OK)))
			break;
		/* The last dump was less than a hundredth of a second ago. */
		timeradd(&when, &hundredth, &when);
	}
	log_error("cannot rename %s to %s: %s", path, f->name, strerror(-err));
	return err;
}

static void free_file(struct recorder_file *f)
{
	data_writer__free(f->w);
	f->w = NULL;
	record_build_ids__free(&f->build_ids);
}

/* Removes the oldest of the files that --switch-output has written, if there are too many. */
static void keep_newest(struct recorder_file *f)
{
	size_t max = f->cfg->max_files;
	char **slot;

	if (!max)
		return;
	if (!f->kept)
		f->kept = calloc(max, sizeof(*f->kept));
	if (!f->kept)
		return;
	slot = &f->kept[f->kept_cnt++ % max];
	if (*slot && unlink(*slot))
		log_warn("cannot remove %s: %s", *slot, strerror(errno));
	free(*slot);
	*slot = strdup(f->name);
}

int recorder_file__end(struct recorder_file *f, bool as_dump)
{
	int err;

	if (f->last_ns)
		data_writer__set_sample_time(f->w, f->first_ns, f->last_ns);
	err = recorder_file__round(f);
	if (!err && !f->cfg->how.no_build_id)
		err = record_build_ids__write(&f->build_ids, f->w);
	if (!err)
		err = data_writer__finish(f->w);
	f->bytes += data_writer__written(f->w);
	free_file(f);
	snprintf(f->name, sizeof(f->name), "%s", f->cfg->output);
	if (!err && as_dump)
		err = rename_to_time(f);
	if (!err && as_dump)
		keep_newest(f);
	return err;
}

int recorder_file__switch(struct recorder_file *f)
{
	int err = recorder_file__end(f, true);

	if (err)
		return err;
	if (!f->cfg->quiet)
		log_note("dump: %s", f->name);
	err = recorder_file__begin(f);
	if (err)
		free_file(f);
	return err;
}

void recorder_file__free(struct recorder_file *f)
{
	uint64_t i;

	free_file(f);
	worker__free(f->worker);
	f->worker = NULL;
	for (i = 0; f->kept && i < f->cfg->max_files; i++)
		free(f->kept[i]);
	free(f->kept);
	f->kept = NULL;
}

uint64_t recorder_file__written(const struct recorder_file *f)
{
	return f->bytes + (f->w ? data_writer__written(f->w) : 0);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "data/record_layout.h"
#include "data/recording.h"
#include "decode/stack_dump.h"
#include "itrace/options.h"
#include "machine/machine.h"
#include "run/confine.h"
#include "run/replay_itrace.h"
#include "run/split_report.h"
#include "source/file.h"
#include "util/log.h"
#include "util/path.h"

static const char *input_path(const char *input)
{
	return input ? input : "perf.data";
}

int replay__init(struct replay *r)
{
	r->machine = machine__new(NULL);
	if (r->machine)
		return 0;
	log_error("no memory to read a recording");
	return -ENOMEM;
}

int replay__open(struct replay *r, const char *input, const struct itrace_options *itrace)
{
	bool decodes = itrace && itrace->is_set;
	int err;

	if (decodes) {
		program__find(&r->itrace_program);
		/* It takes privileges that are given up next. */
		r->kcore_fd = 1 + open("/proc/kcore", O_RDONLY | O_CLOEXEC);
	}
	r->rec = recording__open_file(input_path(input));
	if (!r->rec)
		return -EIO;
	err = confine__to_reading(decodes);
	return err ? err : recording__read_headers(r->rec);
}

static uint64_t replay_time_of(void *ctx, const struct perf_event_header *hdr)
{
	const struct replay *r = ctx;

	return perf_sample__time(&r->rec->attrs, r->rec->swap, hdr);
}

/* Are its times those that JIT compilers write (CLOCK_MONOTONIC: record -k mono)? */
static bool has_mono_clock(const struct attrs *attrs)
{
	const struct perf_event_attr *attr = attrs->cnt ? &attrs->events[0].attr : NULL;

	return attr && attr->use_clockid && attr->clockid == CLOCK_MONOTONIC;
}

static int begin_once(struct replay *r)
{
	int err;

	if (r->has_begun)
		return 0;
	r->has_begun = true;
	machine__settle_kernel(r->machine);
	r->has_mono_clock = has_mono_clock(&r->rec->attrs);
	if (r->cfg->filter) {
		err = replay_filter__begin(r->cfg->filter, r->rec);
		if (err)
			return err;
	}
	err = recorded_events__update(&r->decoder.events, &r->rec->attrs);
	if (!err)
		err = presenter__init_recorded(&r->presenter, r->machine->sym,
					       r->rec->tracing.printk_formats);
	r->presenter.lines.max_stack = (uint32_t)r->decoder.cfg.max_stack;
	r->presenter.lines.inlined = r->cfg->inlined;
	r->presenter.max_blocks = r->cfg->max_blocks;
	r->presenter.lines.branch_offs = r->cfg->branch_offs;
	r->presenter.lines.no_inlined = r->cfg->no_inlined;
	r->presenter.lines.places.with_lines = r->cfg->with_lines;
	return err ? err : r->ops->begin(r->ctx);
}

/* The sample's own address is named for the filter alone. 0 or -ENOMEM. */
static int check(struct replay *r, struct sample *s, enum replay_verdict *verdict)
{
	struct replay_filter *f = r->cfg->filter;

	*verdict = f ? replay_filter__check(f, s) : REPLAY_WANTED;
	if (*verdict != REPLAY_WANTED || !f || !replay_filter__has_code(f))
		return 0;
	if (presenter__complete(&r->presenter, s, SAMPLE_KEEP | SAMPLE_NEEDS_IP))
		return -ENOMEM;
	*verdict = replay_filter__check_code(f, s);
	return 0;
}

/* Passes one sample of a record on, with the parts that it needs. */
static int replay_member(struct replay *r, struct sample *s)
{
	enum replay_verdict verdict;
	unsigned int needs;
	int err = check(r, s, &verdict);

	if (err || verdict == REPLAY_OUTSIDE)
		return err;
	if (verdict == REPLAY_PASSED_OVER && !(r->cfg->completes_all && r->ops->passed_over))
		return r->ops->passed_over ? r->ops->passed_over(r->ctx, s) : 0;
	needs = r->ops->needs(r->ctx, s);
	if (!needs)
		return 0;
	err = perf_decoder__complete(&r->decoder, s, needs);
	if (!err)
		err = presenter__complete(&r->presenter, s, needs);
	if (err)
		return err;
	return (verdict == REPLAY_WANTED ? r->ops->sample : r->ops->passed_over)(r->ctx, s);
}

static int replay_parsed(struct replay *r, const struct perf_sample *ps)
{
	struct sample *s;
	int err;

	if (!r->first_ns)
		r->first_ns = ps->time_ns;
	err = r->has_begun ? 0 : begin_once(r);
	if (err)
		return err;
	/* Samples that waited are older than others that did not. */
	if (ps->time_ns > r->last_ns)
		r->last_ns = ps->time_ns;
	if (r->has_mono_clock)
		sym__set_time(r->machine->sym, ps->time_ns);
	do {
		err = perf_decoder__next(&r->decoder, ps, &s);
		if (err > 0)
			err = replay_member(r, s);
	} while (!err && perf_decoder__has_more(&r->decoder));
	return err;
}

/* Passes a sample on that waited; user: its callchain, or NULL. */
static int replay_waited(struct replay *r, struct deferred_sample *held,
			 const struct perf_words *user)
{
	struct perf_sample ps;
	int err = perf_decoder__parse(&r->decoder, held->hdr, &ps);

	if (!err && user)
		deferred_chains__join(&r->deferred, &ps, user);
	r->losses.deferred_cnt += !err && !user;
	err = err ? 0 : replay_parsed(r, &ps);
	free(held);
	return err;
}

/* Passes on what waits although more is to come, or at the end. */
static int expire(struct replay *r, bool all)
{
	struct deferred_sample *held;
	int err = 0;

	while (!err && (held = deferred_chains__expire(&r->deferred, all)))
		err = replay_waited(r, held, NULL);
	return err;
}

static int replay_sample(struct replay *r, const struct perf_event_header *hdr)
{
	struct perf_sample ps;
	uint64_t cookie;
	int err = perf_decoder__parse(&r->decoder, hdr, &ps);

	if (err) {
		replay_losses__sample(&r->losses, err);
		return 0;
	}
	if (!deferred_chains__is_open(&ps, &cookie))
		return replay_parsed(r, &ps);
	if (!r->first_ns)
		r->first_ns = ps.time_ns;
	err = deferred_chains__hold(&r->deferred, hdr, ps.tid, cookie);
	return err ? err : expire(r, false);
}

/* A thread's user callchain, or its end, is that of all its samples that wait. */
static int replay_deferred(struct replay *r, uint32_t tid, uint64_t cookie,
			   const struct perf_words *user)
{
	struct deferred_sample *held;
	int err = 0;

	while (!err && (held = deferred_chains__take(&r->deferred, tid)))
		err = replay_waited(r, held, held->cookie == cookie ? user : NULL);
	return err;
}

static int replay_process(struct replay *r, const struct record *rec)
{
	struct perf_sample trailer;
	struct perf_words user;
	uint32_t tid;
	uint64_t cookie;
	int err = 0;

	if (rec->hdr->type == RECORD_CALLCHAIN_DEFERRED)
		return deferred_chains__parse(rec->hdr, &cookie, &user) &&
				       !perf_sample__parse(&trailer, &r->rec->attrs, r->rec->swap,
							   rec->hdr)
			       ? replay_deferred(r, trailer.tid, cookie, &user)
			       : 0;
	/* pid, ppid, tid: its samples are named while it has a name. */
	if (rec->hdr->type == PERF_RECORD_EXIT && r->deferred.oldest && rec->hdr->size >= 20) {
		memcpy(&tid, (const char *)(rec->hdr + 1) + 8, sizeof(tid));
		err = replay_deferred(r, tid, 0, NULL);
	}
	return err ? err : machine__process(r->machine, rec);
}

int replay__made_sample(struct replay *r, struct perf_sample *ps)
{
	perf_decoder__take(&r->decoder, ps);
	return replay_parsed(r, ps);
}

int replay__lost(struct replay *r, const struct lost *lost)
{
	int err;

	if (!r->ops->lost)
		return 0;
	if (!r->first_ns)
		r->first_ns = lost->time_ns;
	err = begin_once(r);
	return err ? err : r->ops->lost(r->ctx, lost);
}

static int replay_lost(struct replay *r, const struct record *rec)
{
	struct lost lost = {
		.time_ns = rec->time_ns,
		.cnt = replay_losses__lost(&r->losses, r->rec, rec->hdr),
		.cpu = UINT32_MAX,
		.cause = rec->hdr->type == PERF_RECORD_LOST ? lost_cause__of_misc(rec->hdr->misc)
							    : LOST_RING_FULL,
	};

	/*
	 * A sum that the recorder wrote at its end has no time, and so no place among the samples.
	 */
	return lost.cnt && lost.time_ns ? replay__lost(r, &lost) : 0;
}

static int replay_record(void *ctx, const struct record *rec)
{
	struct replay *r = ctx;
	int err = r->itrace && rec->time_ns ? replay_itrace__until(r->itrace, rec->time_ns) : 0;

	if (err)
		return err;
	switch (rec->kind) {
	case RECORD_SAMPLE:
		return replay_sample(r, rec->hdr);
	case RECORD_PROC:
		err = replay_process(r, rec);
		return err || !r->ops->record ? err : r->ops->record(r->ctx, rec);
	case RECORD_LOST:
		err = replay_lost(r, rec);
		return err || !r->ops->record ? err : r->ops->record(r->ctx, rec);
	case RECORD_ROUND:
		return r->rec->is_live && r->ops->round ? r->ops->round(r->ctx) : 0;
	default:
		return 0;
	}
}

static int open_decoder(struct replay *r, const struct replay_config *cfg)
{
	const struct perf_decoder_config decoder = {
		.rec = r->rec,
		.tasks = r->machine->tasks,
		.sym = r->machine->sym,
		.form = cfg->form,
		.max_stack = cfg->max_stack ? cfg->max_stack : STACK_DEFAULT,
	};

	r->has_decoder = true;
	if (!perf_decoder__init(&r->decoder, &decoder))
		return 0;
	log_error("no memory to read a recording");
	return -ENOMEM;
}

/* The trace is decoded up to the recording's damage, too, but not after a signal. */
static int finish_trace(struct replay *r, int err)
{
	int trace_err = 0;

	if (!r->itrace)
		return err;
	if ((!err || err == -EBADMSG) && !r->rec->is_stopped)
		trace_err = replay_itrace__until(r->itrace, UINT64_MAX);
	if (err != -ECANCELED && trace_err != -ECANCELED)
		return trace_err ? trace_err : err;
	if (!r->rec->is_stopped)
		log_note("stopped before the trace of %s was decoded to its end: the rest of it is "
			 "not %s",
			 r->rec->path, r->cfg->rest);
	return err == -EBADMSG ? err : 0;
}

int replay__read(struct replay *r, const struct replay_config *cfg, const struct replay_ops *ops,
		 void *ctx)
{
	struct sym_options sym = cfg->sym;
	struct source *src;
	int err, waited_err, begin_err;

	if (cfg->itrace && cfg->itrace->is_set) {
		r->itrace = replay_itrace__new(r, cfg);
		if (!r->itrace)
			return -errno;
	}
	r->cfg = cfg;
	r->ops = ops;
	r->ctx = ctx;
	sym.inlines |= cfg->inline_unwound && recording__may_have_stacks(r->rec);
	machine__set_recording(r->machine, r->rec, &sym);
	err = open_decoder(r, cfg);
	if (err)
		return err;
	src = file_source__new(r->rec, replay_time_of, r);
	if (!src)
		return -ENOMEM;
	err = source__drain(src, true, replay_record, r);
	waited_err = !err || err == -EBADMSG ? expire(r, true) : 0;
	err = finish_trace(r, waited_err ? waited_err : err);
	r->losses.late_cnt = source__late(src);
	source__free(src);
	replay_losses__log(&r->losses, r->rec, cfg->rest);
	if (err == -ENOMEM || err == -E2BIG || err == -EINVAL)
		return err;
	begin_err = begin_once(r);
	return begin_err ? begin_err : err;
}

const struct event_list *replay__events(const struct replay *r)
{
	return &r->decoder.events.list;
}

void replay__keep_outermost(struct replay *r)
{
	r->decoder.cfg.outermost = true;
}

void replay__close(struct replay *r)
{
	if (r->has_decoder)
		perf_decoder__free(&r->decoder);
	deferred_chains__free(&r->deferred);
	replay_itrace__free(r->itrace);
	if (r->kcore_fd)
		close(r->kcore_fd - 1);
	presenter__free(&r->presenter);
	if (r->machine)
		split_report__missing(r->machine->sym);
	machine__free(r->machine);
	if (r->rec)
		recording__close(r->rec);
}

/* The directory of a file. */
static int stat_dir_of(const char *path, struct stat *st)
{
	char dir[PATH_MAX];

	return snprintf(dir, sizeof(dir), "%s", path) < (int)sizeof(dir) ? stat(dirname(dir), st)
									 : -1;
}

/* Is `output` one of the files in the directory of perf record that `in` is, or is `data` of? */
static bool is_part_of(const char *input, const struct stat *in, const char *output)
{
	const char *base = path__base(output);
	struct stat in_dir = *in, out_dir;

	if (strncmp(base, "data", 4) != 0 || (base[4] && base[4] != '.'))
		return false;
	if (!S_ISDIR(in->st_mode) &&
	    (strcmp(path__base(input), "data") != 0 || stat_dir_of(input, &in_dir)))
		return false;
	return !stat_dir_of(output, &out_dir) && in_dir.st_dev == out_dir.st_dev &&
	       in_dir.st_ino == out_dir.st_ino;
}

int replay__check_output(const char *input, const char *output)
{
	struct stat in, out;

	input = input_path(input);
	if (!output || stat(input, &in) || stat(output, &out) || !S_ISREG(out.st_mode))
		return 0;
	if ((in.st_dev != out.st_dev || in.st_ino != out.st_ino) && !is_part_of(input, &in, output))
		return 0;
	log_error("-o %s is the recording itself; give another file", output);
	return -EINVAL;
}

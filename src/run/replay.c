// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/replay.h"

#include <errno.h>
#include <sys/stat.h>

#include "data/perf_file.h"
#include "data/recording.h"
#include "decode/stack_dump.h"
#include "machine/replay_machine.h"
#include "machine/tasks.h"
#include "source/file.h"
#include "util/log.h"

static const char *input_path(const char *input)
{
	return input ? input : "perf.data";
}

int replay__init(struct replay *r)
{
	r->tasks = tasks__new();
	r->sym = sym__new();
	if (!r->tasks || !r->sym) {
		log_error("no memory to read a recording");
		return -ENOMEM;
	}
	tasks__set_offline(r->tasks);
	return 0;
}

int replay__open(struct replay *r, const char *input)
{
	r->rec = recording__open(input_path(input));
	return r->rec ? 0 : -EIO;
}

static uint64_t replay_time_of(void *ctx, const struct perf_event_header *hdr)
{
	const struct replay *r = ctx;

	return perf_sample__time(&r->rec->attrs, r->rec->swap, hdr);
}

static int begin_once(struct replay *r)
{
	int err;

	if (r->has_begun)
		return 0;
	r->has_begun = true;
	err = recorded_events__update(&r->decoder.events, &r->rec->attrs);
	return err ? err : r->ops->begin(r->ctx);
}

static int replay_sample(struct replay *r, const struct perf_event_header *hdr)
{
	struct perf_sample ps;
	int err = perf_decoder__parse(&r->decoder, hdr, &ps);

	if (err) {
		replay_losses__sample(&r->losses, err);
		return 0;
	}
	if (!r->first_ns)
		r->first_ns = ps.time_ns;
	err = r->has_begun ? 0 : begin_once(r);
	if (err)
		return err;
	r->last_ns = ps.time_ns;
	return perf_decoder__each(&r->decoder, &ps);
}

static int replay_lost(struct replay *r, const struct record *rec)
{
	struct lost lost = {
		.time_ns = rec->time_ns,
		.cnt = replay_losses__lost(&r->losses, r->rec, rec->hdr),
		.cpu = UINT32_MAX,
		.cause = LOST_RING_FULL,
	};
	int err;

	/* A sum that the recorder wrote at its end has no time, and no place among the samples. */
	if (!r->ops->lost || !lost.cnt || !lost.time_ns)
		return 0;
	err = begin_once(r);
	return err ? err : r->ops->lost(r->ctx, &lost);
}

static int replay_record(void *ctx, const struct record *rec)
{
	struct replay *r = ctx;

	switch (rec->hdr->type) {
	case PERF_RECORD_SAMPLE:
		return replay_sample(r, rec->hdr);
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return replay_lost(r, rec);
	case PERF_USER_FINISHED_ROUND:
		return r->rec->is_live && r->ops->round ? r->ops->round(r->ctx) : 0;
	default:
		tasks__on_record(r->tasks, rec->hdr, rec->time_ns);
		replay_machine__record(r->sym, r->rec, rec->hdr, rec->time_ns);
		return 0;
	}
}

static int open_decoder(struct replay *r, const struct replay_config *cfg)
{
	const struct perf_decoder_config decoder = {
		.rec = r->rec,
		.tasks = r->tasks,
		.sym = r->sym,
		.form = cfg->form,
		.max_stack = cfg->max_stack ? cfg->max_stack : STACK_DEFAULT,
		.filter = r->ops->filter,
		.sample = r->ops->sample,
		.ctx = r->ctx,
	};

	r->has_decoder = true;
	if (!perf_decoder__init(&r->decoder, &decoder))
		return 0;
	log_error("no memory to read a recording");
	return -ENOMEM;
}

int replay__read(struct replay *r, const struct replay_config *cfg, const struct replay_ops *ops,
		 void *ctx)
{
	static const struct file_source_ops source = { .time_of = replay_time_of,
						       .record = replay_record };
	struct sym_options sym = cfg->sym;
	struct file_stats stats;
	int err, begin_err;

	r->ops = ops;
	r->ctx = ctx;
	sym.inlines |= cfg->inline_unwound && replay_machine__may_unwind(r->rec);
	replay_machine__start(r->sym, r->rec, &sym);
	err = open_decoder(r, cfg);
	if (err)
		return err;
	err = file_source__read(r->rec, &source, r, &stats);
	r->losses.late_cnt = stats.late;
	replay_losses__tell(&r->losses, r->rec, cfg->rest);
	if (err == -ENOMEM || err == -E2BIG)
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
	sym__free(r->sym);
	tasks__free(r->tasks);
	if (r->rec)
		recording__close(r->rec);
}

int replay__check_output(const char *input, const char *output)
{
	struct stat in, out;

	if (!output || stat(input_path(input), &in) || stat(output, &out) ||
	    !S_ISREG(out.st_mode) || in.st_dev != out.st_dev || in.st_ino != out.st_ino)
		return 0;
	log_error("-o %s is the recording itself; give another file", output);
	return -EINVAL;
}

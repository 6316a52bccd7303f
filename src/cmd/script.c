// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bpfperf script: prints the samples of a recording one by one. */
#include <errno.h>
#include <stdlib.h>

#include "cmd/commands.h"
#include "cmd/script_opts.h"
#include "data/perf_sample.h"
#include "data/recording.h"
#include "itrace/packets.h"
#include "machine/tasks.h"
#include "run/replay.h"
#include "sink/branch_text.h"
#include "sink/out.h"
#include "sink/perfetto.h"
#include "sink/script.h"
#include "sink/script_dump.h"
#include "sink/script_events.h"
#include "sink/sink.h"
#include "util/err.h"
#include "util/stop_signals.h"

struct script {
	struct script_opts *opts;
	struct replay replay;
	struct out out;
	struct sink *sink;
	struct script_config text; /* for --format text */
	struct branch_config branches; /* for --format autofdo and bolt */
	bool is_text;
};

static bool has_stacks(const struct attrs *attrs)
{
	const uint64_t stacks = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER;
	size_t i;

	for (i = 0; i < attrs->cnt; i++)
		if (attrs->events[i].attr.sample_type & stacks)
			return true;
	return false;
}

/* Formats with columns need the events before the first sample. */
static int script_begin(void *ctx)
{
	struct script *sc = ctx;
	const struct recording *rec = sc->replay.rec;

	sc->text.is_arm64 = recording__is_arm64(rec);
	sc->sink->cfg.start_mono_ns = sc->replay.first_ns;
	sc->sink->cfg.callstacks = has_stacks(&rec->attrs);
	return sink__begin(sc->sink);
}

static unsigned int script_needs(void *ctx, const struct sample *s)
{
	const struct script *sc = ctx;

	return sink__needs(sc->sink, s);
}

static int script_sample(void *ctx, const struct sample *s)
{
	return sink__sample(((struct script *)ctx)->sink, s);
}

static int script_lost(void *ctx, const struct lost *l)
{
	return sink__lost(((struct script *)ctx)->sink, l);
}

/* Records of perf_event_open(2) have the fields of a sample that tell where they were made. */
static int script_record(void *ctx, const struct record *rec)
{
	struct script *sc = ctx;
	struct recording *file = sc->replay.rec;
	struct perf_sample trailer = { 0 };
	struct sample s = { .perf = &trailer };

	if (!script_events__has(&sc->opts->show, rec->hdr->type) || !file->attrs.cnt)
		return 0;
	perf_sample__parse(&trailer, &file->attrs, file->swap, rec->hdr);
	if (!trailer.event)
		trailer.event = file->attrs.events;
	trailer.cpumode = rec->hdr->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	s.time_ns = rec->time_ns == UINT64_MAX ? 0 : rec->time_ns;
	s.cpu = trailer.cpu;
	s.pid = (int32_t)trailer.pid;
	s.tid = (int32_t)trailer.tid;
	s.comm = tasks__comm(sc->replay.machine->tasks, script_events__tid(rec->hdr, s.tid));
	return script__record(sc->sink, &s, rec->hdr);
}

static int script_round(void *ctx)
{
	return out__flush(&((struct script *)ctx)->out);
}

static int print_samples(struct script *sc)
{
	const struct replay_ops ops = {
		.begin = script_begin,
		.needs = script_needs,
		.sample = script_sample,
		.lost = script_lost,
		.record = script_events__any(&sc->opts->show) ? script_record : NULL,
		.round = script_round,
	};
	struct script_opts *o = sc->opts;
	struct replay_config cfg = {
		.filter = &o->filter,
		.itrace = &o->itrace,
		.sym.inlines = !o->no_inline && o->inlined,
		.sym.lines = true,
		.sym.as_addr2line = true,
		.inline_unwound = !o->no_inline,
		.form = sc->is_text ? PERF_STACK_AS_RECORDED : PERF_STACK_BY_SIDE,
		.max_stack = o->max_stack,
		.inlined = o->inlined,
		.rest = "shown",
	};
	int err, last;

	replay_files__use(&o->files, &cfg.sym);
	err = replay__read(&sc->replay, &cfg, &ops, sc);
	/* Ends the document, if it was begun. */
	last = err == -ENOMEM || err == -E2BIG || err == -EINVAL ? 0 : sink__end(sc->sink);
	return err__keep_first(err, last);
}

/* Opens the output. 0, or -errno, logged. */
static int open_output(struct script *sc)
{
	/* A recording does not state whether it has all tasks and CPUs. */
	static const struct perfetto_config perfetto = {
		.extra.kind = PERFETTO_EXTRA,
		.tasks_filtered = true,
		.cpus_filtered = true,
	};
	const struct script_opts *o = sc->opts;
	const struct sink_ops *ops;
	struct sink_config cfg = {
		.sym = sc->replay.machine->sym,
		.events = replay__events(&sc->replay),
		.extras = &sc->text.extra,
		.is_recorded = true,
	};
	int err;

	ops = sink__choose(script_sinks, o->format, o->output, &script_sink);
	if (!ops || script_opts__check(o, ops) || replay__check_output(o->input, o->output))
		return -EINVAL;
	sc->is_text = ops == &script_sink;
	if (ops->begins_slices)
		itrace_options__want_slices(&sc->opts->itrace);
	sc->branches = (struct branch_config){ { BRANCH_EXTRA, &perfetto.extra }, o->binary };
	sc->text = (struct script_config){
		.extra = { SCRIPT_EXTRA, &sc->branches.extra },
		.fields = o->fields,
		.more = o->more,
		.less = o->less,
		.nanoseconds = o->nanoseconds,
		.is_relative = o->is_relative,
		.is_delta = o->is_delta,
		.no_callchain = o->no_callchain,
	};
	err = sink__open_out(ops, &sc->out, o->output);
	if (err)
		return err;
	sc->out.stop_is_end = true;
	sc->sink = sink__new(ops, &sc->out, &cfg);
	return sc->sink ? 0 : -ENOMEM;
}

static size_t put_packets(void *ctx, const uint8_t *p, size_t sz, uint64_t at, bool is_end,
			  struct strbuf *out)
{
	struct packets *packets = ctx;

	if (!at)
		*packets = (struct packets){ 0 };
	return packets__put(packets, p, sz, is_end, out);
}

static int print_dump(struct script *sc)
{
	struct packets packets = { 0 };
	const struct script_dump_trace trace = { put_packets, &packets };
	int err = script_dump(sc->replay.rec, &sc->out, &trace);

	replay_losses__log(&sc->replay.losses, sc->replay.rec, "shown");
	return err;
}

static int cmd_script_run(void *opts, int cmd_argc, char **cmd_argv)
{
	struct script *sc = calloc(1, sizeof(*sc));
	bool is_whole, is_usage;
	int err, out_err;

	if (!sc)
		return EXIT_FAILED;
	stop_signals__catch();
	sc->opts = opts;
	err = replay__init(&sc->replay);
	if (!err)
		err = open_output(sc);
	if (!err)
		err = replay__open(&sc->replay, sc->opts->input, &sc->opts->itrace);
	if (!err) {
		out__begin(&sc->out);
		err = sc->opts->dump ? print_dump(sc) : print_samples(sc);
	}
	out_err = out__close(&sc->out);
	is_usage = err == -EINVAL;
	is_whole = sc->replay.rec && !sc->replay.rec->lacks_features;
	sink__free(sc->sink);
	replay__close(&sc->replay);
	free(sc);
	/* A reader that closes the pipe early is no error. */
	if (out_err == -EPIPE)
		return EXIT_DONE;
	if (is_usage)
		return EXIT_USAGE;
	return err || out_err || !is_whole ? EXIT_FAILED : EXIT_DONE;
}

const struct command cmd_script = {
	.name = "script",
	.synopsis = "[OPTIONS]",
	.summary = "Prints a recording (perf.data), event by event.",
	.opts = script_opts,
	.opts_sz = sizeof(struct script_opts),
	.run = cmd_script_run,
};

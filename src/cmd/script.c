// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bpfperf script: prints the samples of a recording one by one. */
#include <errno.h>
#include <stdlib.h>

#include "cmd/commands.h"
#include "cmd/script_opts.h"
#include "data/recording.h"
#include "run/event_dumps.h"
#include "run/replay.h"
#include "run/replay_dump.h"
#include "run/script_records.h"
#include "run/script_sources.h"
#include "sink/branch_text.h"
#include "sink/out.h"
#include "sink/perfetto.h"
#include "sink/script.h"
#include "sink/recording_text.h"
#include "sink/script_events.h"
#include "sink/script_fields.h"
#include "sink/sink.h"
#include "util/err.h"
#include "util/log.h"
#include "util/stop_signals.h"

/* Width of the files' names, as perf has it. */
#define CALL_TRACE_FILE_WIDTH 50

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

static enum recording_header header_of(const struct script *sc)
{
	return recording_header__of(sc->opts->header || sc->opts->header_only, sc->opts->show_info);
}

/* Formats with columns need the events before the first sample. */
static int script_begin(void *ctx)
{
	struct script *sc = ctx;

	recording_text__put_header(sc->replay.rec, header_of(sc), &sc->out.buf);
	sc->sink->cfg.start_mono_ns = sc->replay.first_ns;
	sc->sink->cfg.callstacks = has_stacks(&sc->replay.rec->attrs);
	return script_fields__begin(&sc->text, sc->replay.rec)
		       ?: event_dumps__open(sc->text.outs, sc->sink->cfg.events)
		       ?: sink__begin(sc->sink);
}

static unsigned int script_needs(void *ctx, const struct sample *s)
{
	return sink__needs(((const struct script *)ctx)->sink, s);
}

static int script_sample(void *ctx, const struct sample *s)
{
	return sink__sample(((struct script *)ctx)->sink, s);
}

static int script_lost(void *ctx, const struct lost *l)
{
	return sink__lost(((struct script *)ctx)->sink, l);
}

static int script_record(void *ctx, const struct record *rec)
{
	struct script *sc = ctx;

	return script_records__print(&sc->replay, &sc->opts->show, &sc->text, sc->sink, rec);
}

static int script_round(void *ctx)
{
	struct script *sc = ctx;

	return err__keep_first(out__flush(&sc->out), event_dumps__flush(sc->text.outs));
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
	uint64_t fields = script_choice__asked(&o->choice);
	bool has_lines = fields & SCRIPT_LINES;
	struct replay_config cfg = {
		.filter = &o->filter,
		.itrace = &o->itrace,
		.sym.inlines = (!o->no_inline && o->inlined) || has_lines,
		.sym.lines = true,
		.sym.as_addr2line = true,
		.inline_unwound = !o->no_inline,
		.form = sc->is_text ? PERF_STACK_AS_RECORDED : PERF_STACK_BY_SIDE,
		.max_stack = o->max_stack,
		.inlined = o->inlined,
		.no_inlined = o->no_inline,
		.max_blocks = o->max_blocks,
		.with_lines = has_lines,
		.branch_offs = (fields & SCRIPT_BRANCHES) == SCRIPT_BRSTACKOFF,
		.rest = "shown",
	};
	int err, last;

	o->filter.takes_addrs = true;
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
	if (script_choice__asked(&o->choice) & SCRIPT_CALLINDENT || o->graph_functions)
		sc->opts->itrace.wants_stacks = true;
	sc->branches = (struct branch_config){ { BRANCH_EXTRA, &perfetto.extra }, o->binary };
	sc->text = (struct script_config){
		.extra = { SCRIPT_EXTRA, &sc->branches.extra },
		.choice = o->choice,
		.nanoseconds = o->nanoseconds,
		.is_relative = o->is_relative,
		.is_delta = o->is_delta,
		.no_callchain = o->no_callchain,
		.stop_bt = o->stop_bt,
		.graph_functions = o->graph_functions,
		.full_paths = o->full_paths,
		.file_width = o->call_trace ? CALL_TRACE_FILE_WIDTH : 0,
	};
	if (o->per_event_dump) {
		sc->text.outs = event_dumps__new(o->input);
		if (!sc->text.outs)
			return -EIO;
	}
	if (script_choice__asked(&o->choice) & SCRIPT_SRCCODE)
		sc->text.texts = script_sources__new(o->files.symfs);
	err = sink__open_out(ops, &sc->out, o->output);
	if (err)
		return err;
	sc->out.stop_is_end = true;
	sc->sink = sink__new(ops, &sc->out, &cfg);
	return sc->sink ? 0 : -ENOMEM;
}

static int print_header(struct script *sc)
{
	int err = recording_text__put_header_alone(sc->replay.rec, header_of(sc), &sc->out.buf);

	replay_losses__log(&sc->replay.losses, sc->replay.rec, "shown");
	return err;
}

static int print_dump(struct script *sc)
{
	recording_text__put_header(sc->replay.rec, header_of(sc), &sc->out.buf);
	return replay_dump__print(&sc->replay, &sc->out);
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
		err = script_opts__settle(opts);
	if (!err)
		err = open_output(sc);
	if (!err)
		err = replay__open(&sc->replay, sc->opts->input, &sc->opts->itrace);
	if (!err) {
		out__begin(&sc->out);
		err = sc->opts->header_only ? print_header(sc)
		      : sc->opts->dump      ? print_dump(sc)
					    : print_samples(sc);
	}
	out_err = err__keep_first(out__close(&sc->out), event_dumps__close(sc->text.outs));
	is_usage = err == -EINVAL;
	is_whole = sc->replay.rec && !sc->replay.rec->lacks_features;
	sink__free(sc->sink);
	script_sources__free(sc->text.texts);
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

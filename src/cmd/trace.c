// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <string.h>

#include "cmd/commands.h"
#include "cmd/trace_cmd.h"
#include "cmd/trace_open.h"
#include "cmd/trace_opts.h"
#include "machine/machine.h"
#include "kernel/bpf_error.h"
#include "kernel/limits.h"
#include "session/trace_session.h"
#include "sink/clock.h"
#include "sink/sink.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/stop_signals.h"

/*
 * Handles what is between the samples: a row of counters, or lost records. A dump may begin with
 * it.
 */
static int trace__on_between(struct trace *t, const struct record *rec)
{
	int err = flight_recorder__before_record(&t->recorder);

	if (err)
		return err;
	return rec->kind == RECORD_COUNTERS ? sample_counters__row(&t->counters, rec, t->run.sink)
					    : losses__lost_record(t->run.sink, rec);
}

/* Passes one record of the merged stream to the sink. 1: --max-events is reached. */
static int trace__on_record(void *ctx, const struct record *rec)
{
	struct trace *t = ctx;
	struct sample s;
	int err;

	if (rec->kind == RECORD_PROC)
		return machine__process(t->run.machine, rec);
	if (rec->kind != RECORD_WIRE)
		return trace__on_between(t, rec);
	if (!trace_decoder__sample(&t->decoder, rec->wire, rec->cpu, &s))
		return 0;
	if (t->opts->max_events && t->run.losses.shown == t->opts->max_events)
		return 1;
	if (trace_opts__callstacks(t->opts))
		callstacks__complete(&t->callstacks, &s);
	err = t->recorder.pending ? flight_recorder__before_record(&t->recorder) : 0;
	if (err)
		return err;
	err = presenter__complete(&t->presenter, &s, sink__needs(t->run.sink, &s));
	if (!err)
		err = code_maps__sample(&t->run.code_maps, t->run.sink, t->run.machine->sym, &s);
	if (err)
		return err;
	t->run.losses.shown++;
	return t->opts->max_events && t->run.losses.shown == t->opts->max_events;
}

static int trace__on_tick(void *ctx)
{
	struct trace *t = ctx;

	budget__check(&t->budget, mono_ns());
	trace_session__relax(t->session);
	return 0;
}

/* Called after each round: dumps if there is a reason. */
static int trace__on_check(void *ctx)
{
	struct trace *t = ctx;

	return t->opts->overwrite ? flight_recorder__check(&t->recorder) : 0;
}

static int trace__on_interval(void *ctx)
{
	struct trace *t = ctx;

	/* The last row is read at the end, after everything has stopped. */
	return loop__is_time_over(&t->run.loop) ? 0 : sample_counters__read_rows(&t->counters);
}

/* Passes the kernel's counts to the sink. */
static int finish_agg(struct trace *t)
{
	int err;

	if (!(t->code.agg.mode & WIRE_AGG_ON))
		return 0;
	agg_stacks__finish(&t->agg_stacks);
	err = trace_predicates__result(&t->code, t->session, &t->agg_stacks, &t->agg);
	t->run.sink->cfg.agg = &t->agg;
	t->run.losses.shown = t->agg.total;
	if (t->agg.not_counted)
		log_warn("%llu records are in no row: there are more than %d different keys%s; use "
			 "fewer fields, or a --filter",
			 (unsigned long long)t->agg.not_counted, WIRE_AGG_KEYS_MAX,
			 t->code.agg.mode & WIRE_AGG_HIST ? ", and each bucket of a histogram is "
							    "one"
							  : "");
	if (t->agg.no_value)
		log_warn("%llu records are in no row: their %s was not in memory",
			 (unsigned long long)t->agg.no_value, t->agg.value);
	return err;
}

static int trace__on_begin(void *ctx)
{
	struct trace *t = ctx;

	return t->decoder.counters
		       ? sample_counters__begin(&t->counters, trace_session__counters(t->session),
						t->run.src)
		       : 0;
}

static uint64_t trace__on_activate(void *ctx)
{
	return trace_session__activate(((struct trace *)ctx)->session);
}

static uint64_t trace__on_deactivate(void *ctx)
{
	return trace_session__deactivate(((struct trace *)ctx)->session);
}

/* Adds the last row and the last dump. */
static int trace__on_stopped(void *ctx)
{
	struct trace *t = ctx;
	int err = t->opts->counters.interval_ms ? sample_counters__read_rows(&t->counters) : 0;

	return !err && t->opts->overwrite ? flight_recorder__end(&t->recorder) : err;
}

static void trace__on_missed(void *ctx)
{
	struct trace *t = ctx;

	trace_session__missed(t->session, losses__missed, &t->run.losses);
	trace_session__absent(t->session, losses__absent, &t->run.losses);
}

static int trace__on_finish(void *ctx, int err)
{
	struct trace *t = ctx;

	t->run.losses.skipped = budget__finish(&t->budget, &t->run.losses);
	t->run.sink->cfg.end_mono_ns = t->run.losses.end_ns;
	return err ? 0 : finish_agg(t);
}

static const struct live_run_ops run_ops = {
	.record = trace__on_record,
	.tick = trace__on_tick,
	.check = trace__on_check,
	.begin = trace__on_begin,
	.activate = trace__on_activate,
	.deactivate = trace__on_deactivate,
	.stopped = trace__on_stopped,
	.missed = trace__on_missed,
	.finish = trace__on_finish,
};

static void trace__log_summary(struct trace *t)
{
	losses__summary(&t->run.losses, t->run.src, "records");
	hit_report__summary(&t->run.hits);
	if (t->opts->triggers.cnt)
		log_note("%llu records triggered",
			 (unsigned long long)trace_session__triggered(t->session));
	if (trace__by_stack(t))
		callstacks__summary(&t->agg_stacks.callstacks, t->run.losses.cpus);
	if (trace_opts__callstacks(t->opts))
		callstacks__summary(&t->callstacks, t->run.losses.cpus);
	unwind_report__summary(trace_session__unwinder(t->session));
	unwind_report__unnamed(t->run.machine->sym);
	sample_counters__summary(&t->counters, trace_session__untraced_switches(t->session));
	if (t->run.machine->lost_cnt)
		log_warn("process events were lost: threads that started meanwhile may be named by "
			 "their id");
}

/* Runs from activate to the last record shown. */
static int trace__run(struct trace *t)
{
	uint64_t every_ns = t->opts->counters.interval_ms * 1000000;
	int err;

	t->run.loop = (struct loop){
		.targets = &t->opts->common.targets,
		.duration_ns = t->opts->common.duration_ns,
	};
	t->run.ops = &run_ops;
	t->run.ctx = t;
	loop__add_timer(&t->run.loop, every_ns, every_ns, trace__on_interval, t);
	if (t->opts->overwrite) {
		t->recorder.sink = t->run.sink;
		t->recorder.fn = trace__on_record;
		t->recorder.ctx = t;
		flight_recorder__watch(&t->recorder, &t->run.loop);
	}
	out__begin(&t->run.out);
	clock__set_start(&t->run.sink->cfg);
	err = sink__begin(t->run.sink);
	if (err)
		return err;
	hit_report__open(&t->run.hits, t->events);
	t->budget.hits = &t->run.hits;
	err = live_run__go(&t->run);
	trace__log_summary(t);
	return err;
}

static void trace__close(struct trace *t)
{
	trace_session__free(t->session);
	trace_predicates__free(&t->code);
	agg_result__free(&t->agg);
	agg_stacks__free(&t->agg_stacks);
	budget__free(&t->budget);
	flight_recorder__close(&t->recorder);
	trace_decoder__free(&t->decoder);
	presenter__free(&t->presenter);
	callstacks__free(&t->callstacks);
	sample_counters__free(&t->counters);
	live_run__close(&t->run);
}

/* Returns the number of records that are lost. */
static uint64_t lost(const struct trace *t)
{
	const struct losses *a = &t->run.losses;

	return a->lost + a->missed + a->absent + a->skipped + t->agg.not_counted;
}

static int cmd_trace_run(void *opts, int argc, char **argv)
{
	struct trace_opts *o = opts;
	struct trace t = { .opts = o,
			   .events = &o->events,
			   .run = { .workload = WORKLOAD_INIT,
				    .losses = { .begin_ns = mono_ns(),
						.overwrite = o->overwrite } } };
	const struct sink_ops *const *sinks, *ops;
	int status = EXIT_USAGE;

	sinks = agg_opts__any(&o->agg) ? agg_sinks : trace_sinks;
	ops = sink__choose(sinks, o->common.format, o->common.output, sinks[0]);
	if (!ops || trace_opts__check_output(o, ops) || trace_opts__check(o, argc) ||
	    triggers__join(&o->triggers, &o->events) ||
	    trace_predicates__open(&t.code, &o->events, &o->agg, &o->triggers))
		goto cleanup;
	/* -g chooses the stack; without it both sides are taken. */
	if (trace__by_stack(&t) && !o->callstack.kernel && !o->callstack.user)
		callstack_opts__set(&o->callstack, NULL);
	status = EXIT_FAILED;
	if (o->overwrite)
		stop_signals__block_usr2();
	bpf_error__init();
	limits__raise_files();
	t.run.workload.user = o->common.cmd_user;
	t.run.workload.to_stderr = common_opts__is_binary_stdout(&o->common, ops);
	if (trace_open__decoder(&t) || trace_open__output(&t, ops, argc > 0) ||
	    (argc && workload__prepare(&t.run.workload, argv)) || trace_open__session(&t))
		goto cleanup;
	/* With CMD alone the first record is its exec, which contains its name. */
	if (!t.run.workload.pid || o->common.targets.all_cpus || o->common.targets.pid_cnt)
		machine__add_names(t.run.machine);
	if (trace__run(&t) == 0)
		status = o->lost_exit && lost(&t) ? EXIT_LOST : EXIT_DONE;
cleanup:
	trace__close(&t);
	trace_opts__free(o);
	return status;
}

const struct command cmd_trace = {
	.name = "trace",
	.synopsis = "[OPTIONS] EVENT... [-- CMD ARG...]",
	.summary = "Shows every event, decoded, as it happens.",
	.opts = trace_opts,
	.opts_sz = sizeof(struct trace_opts),
	.given_off = offsetof(struct trace_opts, common.given),
	.rules = trace_rules,
	.positional = trace_opts__event,
	.takes_cmd = 1,
	.run = cmd_trace_run,
};

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <errno.h>

#include "cmd/commands.h"
#include "cmd/common_opts.h"
#include "cmd/stack_cmd.h"
#include "cmd/stack_open.h"
#include "cmd/stack_opts.h"
#include "cmd/stack_output.h"
#include "machine/sym_feed.h"
#include "decode/stack_record.h"
#include "machine/tasks.h"
#include "event/event.h"
#include "kernel/bpf_error.h"
#include "kernel/limits.h"
#include "session/stack_session.h"
#include "sink/sink.h"
#include "sym/sym.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/stop_signals.h"

/*
 * Nobody sees a sample before the end, and each look costs more than the samples do; but what a
 * process had mapped is opened while it may still live.
 */
#define DRAIN_MS 100

/* A tracepoint happened in its caller. */
static void skip_tracing(struct stack *st, struct callchain *chain)
{
	uint16_t cnt = callstacks__tracing_frames(st->run.sym, chain);

	chain->kern += cnt;
	chain->kern_cnt -= cnt;
}

static int on_record(void *ctx, const struct record *rec)
{
	struct stack *st = ctx;
	uint32_t event;
	struct sample s;
	int err;

	if (rec->kind == RECORD_PROC) {
		if (rec->hdr->type == PERF_RECORD_LOST)
			st->lost_tasks++;
		tasks__on_record(st->run.tasks, rec->hdr, rec->time_ns);
		sym_feed__record(st->run.sym, rec);
		err = synthesize_targets__task(&st->run.feed, st->run.sink, rec);
		return err ? err : throttle__record(&st->throttle, rec->hdr, rec->time_ns);
	}
	if (rec->kind == RECORD_LOST)
		return losses__lost_record(&st->run.losses, st->run.src, st->run.sink, rec);
	if (rec->wire->kind == WIRE_OFF)
		return off_cpu__record(&st->off_cpu, rec->wire, rec->cpu);
	if (!stack_record__sample(rec->wire, rec->cpu, st->max_depth, st->run.tasks, &s))
		return 0;
	event = stack_record__event(rec->wire);
	if (event >= st->opts->events.cnt)
		return 0;
	s.event = st->opts->events.events[event];
	if (s.event->kind == EVENT_TRACEPOINT)
		skip_tracing(st, &s.chain);
	err = sink__sample(st->run.sink, &s);
	if (!err)
		st->run.losses.shown++;
	return err;
}

static void say_symbols(const struct sym *sym)
{
	struct sym_stats stats;

	sym__stats(sym, &stats);
	log_info("symbol tables: %zu KiB in memory, %llu were dropped to keep to the limit",
		 stats.mem_sz >> 10, (unsigned long long)stats.evicted);
}

static int on_begin(void *ctx)
{
	struct stack *st = ctx;
	int err;

	if (!st->opts->top)
		return 0;
	err = top_keys__begin(&st->top, st->run.sink);
	st->run.loop.view = err ? NULL : &st->top.view;
	return err;
}

static uint64_t on_activate(void *ctx)
{
	struct stack *st = ctx;
	uint64_t when = stack_session__activate(st->session);

	if (st->opts->as_record)
		log_info("recording into %s", st->opts->common.output);
	return when;
}

static uint64_t on_deactivate(void *ctx)
{
	return stack_session__deactivate(((struct stack *)ctx)->session);
}

static int on_stopped(void *ctx)
{
	top_keys__end(&((struct stack *)ctx)->top);
	return 0;
}

static void on_missed(void *ctx)
{
	struct stack *st = ctx;

	stack_session__missed(st->session, losses__missed, &st->run.losses);
}

static int on_finish(void *ctx, int err)
{
	struct stack *st = ctx;
	struct profile_meta *meta = &st->opts->profile.meta;

	if (!err)
		err = off_cpu__finish(&st->off_cpu, st->session);
	meta->duration_ns = st->run.losses.end_ns - st->run.losses.start_ns;
	throttle__end(&st->throttle, st->run.losses.end_ns);
	throttle__sum(&st->throttle, &meta->throttled, &meta->throttled_ns);
	return err;
}

static const struct live_run_ops run_ops = { on_begin,   on_activate, on_deactivate,
					     on_stopped, on_missed,   on_finish };

/* While sampling is held back, the clocks of some kernels go on. */
static void say_ticks(const struct stack *st)
{
	uint64_t ticks, unseen = stack_session__unseen(st->session, &ticks);

	if (unseen && !st->opts->profile.meta.throttled)
		log_note(
			"%llu of %llu ticks of the clock brought no sample: another BPF program was "
			"at work on that CPU, or interrupts were off",
			(unsigned long long)unseen, (unsigned long long)ticks);
}

static void say_summary(struct stack *st)
{
	const struct profile_meta *meta = &st->opts->profile.meta;

	losses__summary(&st->run.losses, st->run.src, "samples");
	if (!st->run.losses.shown && !st->run.losses.lost)
		log_note("nothing was sampled: what was watched did not run; watch longer, "
			 "give -a, or a higher -F (a smaller -c)");
	if (meta->throttled)
		log_warn(
			"the kernel held sampling back %llu times, %.3f s in all (throttled): give a "
			"lower -F (a larger -c), or raise sysctl kernel.perf_event_max_sample_rate",
			(unsigned long long)meta->throttled, (double)meta->throttled_ns / 1e9);
	say_ticks(st);
	off_cpu__summary(&st->off_cpu, st->session);
	unwind_report__summary(stack_session__unwinder(st->session));
	say_symbols(st->run.sym);
	if (st->lost_tasks)
		log_warn("process events were lost: functions of processes that began meanwhile "
			 "may stay unnamed");
}

/* After each look at the rings. */
static int on_tick(void *ctx)
{
	struct stack *st = ctx;

	sym__go_ahead(st->run.sym);
	return 0;
}

/* From activate to the printed profile. */
static int run(struct stack *st)
{
	int err;

	st->run.loop = (struct loop){
		.targets = &st->opts->common.targets,
		.duration_ns = st->opts->common.duration_ns,
		.drain_ms = st->opts->top ? 0 : DRAIN_MS,
		.fn = on_record,
		.tick = on_tick,
		.ctx = st,
	};
	st->off_cpu.sink = st->run.sink;
	st->off_cpu.losses = &st->run.losses;
	st->off_cpu.min_ns = st->opts->min_us * 1000;
	st->off_cpu.max_ns = st->opts->max_us * 1000;
	out__begin(&st->run.out);
	err = live_run__go(&st->run, &run_ops);
	/* Where nothing could be recorded, that has been said. */
	st->opts->has_run = st->run.losses.end_ns;
	if (!st->opts->quiet && st->opts->has_run)
		say_summary(st);
	return err;
}

static void close_all(struct stack *st)
{
	stack_session__free(st->session);
	stack_meta__free(&st->meta);
	throttle__free(&st->throttle);
	off_cpu__free(&st->off_cpu);
	live_run__close(&st->run);
}

static int exit_status(int err)
{
	return err == -EINVAL ? EXIT_USAGE : err ? EXIT_FAILED : EXIT_DONE;
}

static int cmd_stack_run(void *opts, int argc, char **argv)
{
	struct stack_opts *o = opts;
	struct stack st = {
		.opts = o,
		.run = { .workload = WORKLOAD_INIT, .losses.begin_ns = mono_ns() },
	};
	int status = EXIT_USAGE, err;

	bpf_error__init();
	limits__raise_files();
	if (stack_opts__check(o, argc))
		goto cleanup;
	st.max_depth = (uint32_t)o->max_depth;
	status = EXIT_FAILED;
	if (stack_open__decoder(&st))
		goto cleanup;
	if (o->off_cpu) {
		o->profile.off_events[0] = st.off_cpu.events[OFF_ASLEEP];
		o->profile.off_events[1] = st.off_cpu.events[OFF_RUNNABLE];
	}
	if (o->input)
		stop_signals__catch();
	err = stack_output__open(&st.run, o);
	if (err) {
		status = exit_status(err);
		goto cleanup;
	}
	if (o->input) {
		status = exit_status(stack_output__convert(&st.run, o->input));
		goto cleanup;
	}
	stack_meta__begin(&st.meta, o, argv);
	err = sink__begin(st.run.sink);
	if (err) {
		status = exit_status(err);
		goto cleanup;
	}
	if ((argc && workload__prepare(&st.run.workload, argv)) || stack_open__session(&st))
		goto cleanup;
	if (run(&st))
		goto cleanup;
	status = EXIT_DONE;
	if (o->as_record && workload__ended(&st.run.workload))
		status = workload__exit_status(&st.run.workload);
cleanup:
	close_all(&st);
	event_list__free(&o->events);
	targets__free(&o->common.targets);
	return status;
}

const struct command cmd_stack = {
	.name = "stack",
	.synopsis = "[OPTIONS] [EVENT] [-- CMD ARG...]",
	.summary = "Shows where time goes, by call stack.",
	.opts = stack_opts,
	.opts_sz = sizeof(struct stack_opts),
	.given_off = offsetof(struct stack_opts, common.given),
	.rules = stack_rules,
	.positional = stack_opts__event,
	.takes_cmd = 1,
	.run = cmd_stack_run,
};

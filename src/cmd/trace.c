// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/account.h"
#include "cmd/budget.h"
#include "cmd/callstacks.h"
#include "cmd/commands.h"
#include "cmd/common_opts.h"
#include "cmd/loop.h"
#include "cmd/record_counters.h"
#include "cmd/recorder.h"
#include "cmd/sym_feed.h"
#include "cmd/trace_code.h"
#include "cmd/trace_filter.h"
#include "cmd/trigger.h"
#include "decode/tasks.h"
#include "decode/trace_record.h"
#include "event/event.h"
#include "event/gate.h"
#include "session/bpf_error.h"
#include "session/cpus.h"
#include "session/trace_session.h"
#include "session/workload.h"
#include "sink/out.h"
#include "sink/sink.h"
#include "sym/sym.h"
#include "util/log.h"
#include "util/mono.h"

struct trace_opts {
	struct common_opts common;
	struct event_list events;
	struct agg_opts agg;
	uint64_t max_events;
	enum time_format time;
	uint64_t budget; /* records a second */
	bool has_budget; /* given */
	bool header;
	bool lost_exit;
	bool overwrite;
	struct triggers triggers;
	struct callstack_opts callstack;
	struct counter_opts counters;
};

static int add_event(void *opts, const char *arg)
{
	struct trace_opts *o = opts;

	if (!arg[strspn(arg, " \t\n")]) {
		log_error("the name of an event is empty; give one, such as 'sched:*'; `bpfperf "
			  "list` shows them");
		return -EINVAL;
	}
	return event_list__add(&o->events, arg);
}

static int add_filter(void *opts, const char *arg)
{
	struct trace_opts *o = opts;

	return trace_filter__add(&o->events, arg);
}

static int set_budget(void *opts, const char *arg)
{
	struct trace_opts *o = opts;

	o->has_budget = true;
	return budget__parse(arg, &o->budget);
}

static int add_trigger(void *opts, const char *arg)
{
	struct trace_opts *o = opts;

	return triggers__add(&o->triggers, arg);
}

static int set_time(void *opts, const char *arg)
{
	static const char *const names[] = { "mono", "real", "rel", "delta" };
	struct trace_opts *o = opts;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], arg) == 0) {
			o->time = (enum time_format)i;
			return 0;
		}
	}
	log_error("--time %s: choose from: mono real rel delta", arg);
	return -EINVAL;
}

static int set_callstack(void *opts, const char *arg)
{
	struct trace_opts *o = opts;

	return callstack_opts__set(&o->callstack, arg);
}

static int add_counter(void *opts, const char *arg)
{
	struct trace_opts *o = opts;

	return counter_opts__add(&o->counters, arg);
}

static int set_counters_by(void *opts, const char *arg)
{
	struct trace_opts *o = opts;

	return counter_opts__set_by(&o->counters, arg);
}

static bool wants_callstacks(const struct trace_opts *o)
{
	return o->callstack.kernel || o->callstack.user;
}

static const struct opt trace_opts[] = {
	{ 'e', "event", "EVENT", "trace this event, as an argument does", OPT_CALL, 0, 0, 0,
	  add_event },
	{ 0, "filter", "EXPR", "of the event before it only these: 'prev_prio < 120 && pid != 0'",
	  OPT_CALL, 0, 0, 0, add_filter },
	TARGET_OPTS,
	WHO_OPTS,
	{ 'g', "call-graph", "SIDE", "a stack with each record: both (default), user, kernel",
	  OPT_OPTCALL, 0, 0, 0, set_callstack },
	{ 0, "count", NULL, "count in the kernel, send no record", OPT_FLAG,
	  offsetof(struct trace_opts, agg.count), 0, 0, NULL },
	{ 0, "sum", "FIELD", "count, and sum this field up", OPT_STR,
	  offsetof(struct trace_opts, agg.sum), 0, 0, NULL },
	{ 0, "hist", "FIELD", "count by powers of two of this field", OPT_STR,
	  offsetof(struct trace_opts, agg.hist), 0, 0, NULL },
	{ 0, "by", "FIELD,...", "count by these fields; also comm, pid, tid, cpu", OPT_STR,
	  offsetof(struct trace_opts, agg.by), 0, 0, NULL },
	{ 0, "counters", "EVENT,...", "each record has the growth of these since its CPU's last",
	  OPT_CALL, 0, 0, 0, add_counter },
	{ 0, "counters-by", "WHAT", "growth since the last of: cpu (default), task", OPT_CALL, 0, 0,
	  0, set_counters_by },
	{ 0, "counter-interval", "MS", "between the records, what the counters say", OPT_U64,
	  offsetof(struct trace_opts, counters.interval_ms), 1, 0, NULL },
	{ 'c', "period", "N", "of each event one record in N, on each CPU", OPT_U64,
	  offsetof(struct trace_opts, agg.period), 1, 1ull << 62, NULL },
	{ 0, "overwrite", NULL,
	  "flight recorder: the newest records stay in the rings, until a dump", OPT_FLAG,
	  offsetof(struct trace_opts, overwrite), 0, 0, NULL },
	{ 0, "trigger", "EVENT", "dump when this happens, EVENT or EVENT:FILTER; with --overwrite",
	  OPT_CALL, 0, 0, 0, add_trigger },
	{ 0, "max-events", "N", "stop after N records", OPT_U64,
	  offsetof(struct trace_opts, max_events), 1, 0, NULL },
	{ 0, "budget", "RATE", "stop the worst event above so many records a second (5M); 0: never",
	  OPT_CALL, 0, 0, 0, set_budget },
	OUTPUT_OPTS,
	{ 0, "format", "F", "text (default), json, csv, perfetto; else by the ending of -o FILE",
	  OPT_STR, offsetof(struct common_opts, format), 0, 0, NULL },
	{ 0, "time", "CLOCK",
	  "mono (default), real, rel (since start), delta (since the line before)", OPT_CALL, 0, 0,
	  0, set_time },
	{ 0, "header", NULL, "text begins with comments: when it was, by both clocks, and of what",
	  OPT_FLAG, offsetof(struct trace_opts, header), 0, 0, NULL },
	{ 0, "lost-exit", NULL, "exit 3 where records were lost", OPT_FLAG,
	  offsetof(struct trace_opts, lost_exit), 0, 0, NULL },
	OPT_END,
};

/* Everything one run owns. */
struct trace {
	const struct trace_opts *opts;
	struct trace_session *session;
	struct live_source *src;
	struct workload workload;
	struct tasks *tasks;
	struct trace_decoder decoder;
	struct callstacks callstacks;
	struct record_counters counters;
	struct sym *sym;
	struct out out;
	struct sink *sink;
	struct account account;
	struct budget budget;
	struct recorder recorder; /* with --overwrite */
	bool lost_tasks; /* process events: names may be missing */
	struct trace_code code;
	struct agg_result agg;
};

/* One record of the merged stream → sink. 1: --max-events is reached. */
static int on_record(void *ctx, const struct record *rec)
{
	struct trace *t = ctx;
	struct sample s;
	int err;

	if (rec->kind == RECORD_TASK) {
		if (rec->hdr->type == PERF_RECORD_LOST)
			t->lost_tasks = true;
		tasks__on_record(t->tasks, rec->hdr, rec->time_ns);
		if (wants_callstacks(t->opts))
			callstacks__task(&t->callstacks, rec);
		record_counters__task(&t->counters, rec);
		return 0;
	}
	if (rec->kind == RECORD_ROW)
		return record_counters__row(&t->counters, rec, t->sink);
	if (rec->kind == RECORD_LOST)
		return account__lost_record(&t->account, t->src, t->sink, rec);
	if (!trace_decoder__sample(&t->decoder, rec->rec, rec->cpu, &s))
		return 0;
	if (t->opts->max_events && t->account.shown == t->opts->max_events)
		return 1;
	if (wants_callstacks(t->opts))
		callstacks__complete(&t->callstacks, &s);
	err = t->recorder.pending ? recorder__before_record(&t->recorder) : 0;
	if (err)
		return err;
	err = sink__sample(t->sink, &s);
	if (err)
		return err;
	t->account.shown++;
	budget__seen(&t->budget, s.event->fmt->id);
	return t->opts->max_events && t->account.shown == t->opts->max_events;
}

static int on_tick(void *ctx)
{
	struct trace *t = ctx;

	return budget__check(&t->budget, mono_ns());
}

static int read_counter_rows(void *ctx)
{
	struct trace *t = ctx;

	return record_counters__read_rows(&t->counters);
}

static bool has_modifiers(const struct event *ev)
{
	return ev->exclude_user || ev->exclude_kernel || ev->exclude_hv || ev->exclude_host ||
	       ev->exclude_guest || ev->exclude_idle || ev->precise_ip || ev->pinned ||
	       ev->exclusive;
}

static int check_events(const struct trace_opts *o)
{
	size_t i;

	if (!o->events.cnt) {
		log_error("which events? Name some, such as bpfperf trace 'sched:*'; "
			  "`bpfperf list` shows them");
		return -EINVAL;
	}
	for (i = 0; i < o->events.cnt; i++) {
		const struct event *ev = o->events.events[i];

		if (ev->kind == EVENT_TRACEPOINT && has_modifiers(ev)) {
			log_error("%s: trace takes tracepoints without modifiers; leave out what "
				  "follows the name",
				  ev->name);
			return -EINVAL;
		}
		if (ev->kind == EVENT_TRACEPOINT)
			continue;
		log_error("%s is no tracepoint; trace shows tracepoints, `bpfperf stack -e %s` "
			  "samples",
			  ev->name, ev->name);
		return -EINVAL;
	}
	return 0;
}

/* What means records makes no sense where there are none. */
static int check_agg(const struct trace_opts *o)
{
	const char *other = o->max_events            ? "--max-events"
			    : wants_callstacks(o)    ? "-g"
			    : o->counters.events.cnt ? "--counters"
			    : o->overwrite           ? "--overwrite"
						     : NULL;

	if (!agg_opts__any(&o->agg) || !other)
		return 0;
	log_error("%s is of records, and --count, --sum, --hist and --by send none; leave one out",
		  other);
	return -EINVAL;
}

/* Are records missing by the user's wish, so that who runs where is not all told? */
static bool is_filtered(const struct event_list *events)
{
	size_t i;

	for (i = 0; i < events->cnt; i++)
		if (events->events[i]->filter &&
		    strcmp(events->events[i]->name, "sched:sched_switch") == 0)
			return true;
	return false;
}

static int check_overwrite(const struct trace_opts *o)
{
	if (o->triggers.cnt && !o->overwrite) {
		log_error("--trigger is for a flight recorder; add --overwrite");
		return -EINVAL;
	}
	if (o->triggers.cnt && o->agg.period) {
		log_error(
			"-c leaves records out before a trigger could see them; leave one of -c and "
			"--trigger out");
		return -EINVAL;
	}
	if (o->overwrite && wants_callstacks(o)) {
		log_error(
			"--overwrite keeps no stacks: what tells what a stack's number means would be "
			"overwritten; leave -g out");
		return -EINVAL;
	}
	return 0;
}

static int open_output(struct trace *t, const struct sink_ops *ops, int argc)
{
	struct sink_config cfg = {
		.time = t->opts->time,
		.sym = t->sym,
		.events = &t->opts->events,
		.only_some = targets__only_some(&t->opts->common.targets, argc > 0) ||
			     is_filtered(&t->opts->events),
		.header = t->opts->header,
		.callstacks = wants_callstacks(t->opts),
		.counters = t->opts->counters.events.cnt ? &t->opts->counters.events : NULL,
	};
	int err;

	err = out__open(&t->out, t->opts->common.output);
	if (err)
		return err;
	t->sink = sink__new(ops, &t->out, &cfg);
	return t->sink ? 0 : -ENOMEM;
}

/* Kernel side: programs loaded, rings mapped, everything attached, nothing active. */
static int open_session(struct trace *t)
{
	const struct targets *targets = &t->opts->common.targets;
	struct trace_config cfg = {
		.events = (struct event_list *)&t->opts->events,
		.targets = targets,
		.by_task = targets__by_task(targets, t->workload.pid != 0),
		.cmd_pid = t->workload.pid,
		.ring_sz = t->opts->common.ring_sz,
		.kern_stack = t->opts->callstack.kernel,
		.user_stack = t->opts->callstack.user,
		.self_switches = t->sink->ops->all_switches,
		.has_trigger = t->opts->triggers.cnt > 0,
		.has_budget = t->opts->budget != 0,
		.sites = t->code.sites,
		.site_needs = t->code.needs,
		.agg = t->code.agg,
		.counters = t->opts->counters.events.cnt ? &t->opts->counters.events : NULL,
		.counters_by_task = t->opts->counters.by_task,
	};
	struct live_config live = {
		.ring_sz = t->opts->common.ring_sz,
		.want_mmap = wants_callstacks(t->opts),
		.overwrite = t->opts->overwrite,
		.define = callstacks__define,
		.define_ctx = &t->callstacks,
	};
	const struct targets everywhere = { .all_cpus = true };
	int *cpus, err;

	t->session = trace_session__open(&cfg);
	if (!t->session)
		return -EINVAL;
	err = trace_session__load(t->session);
	if (err)
		return err;
	/* On all CPUs, also with -C: what names a task may happen on another. */
	err = targets__resolve_cpus(&everywhere, &cpus, &live.cpu_cnt);
	if (err)
		return err;
	live.cpus = cpus;
	live.rings_fd = trace_session__rings_fd(t->session);
	live.batches.cpus = trace_session__cpus(t->session)->at;
	live.batches.flush_fd = trace_session__flush_fd(t->session);
	t->account.cpus = trace_session__cpus(t->session);
	t->decoder.ext_sz = trace_session__ext_sz(t->session);
	t->src = live_source__new(&live);
	free(cpus);
	if (!t->src)
		return -errno;
	t->recorder.src = t->src;
	if (t->opts->overwrite) {
		err = recorder__open(&t->recorder, trace_session__alarms_fd(t->session),
				     trace_session__alarm_raised(t->session));
		if (err)
			return err;
	}
	if (wants_callstacks(t->opts))
		sym_feed__start(t->sym, targets, cfg.by_task);
	err = budget__init(&t->budget, t->opts->budget, &t->opts->events, t->session);
	if (err)
		return err;
	err = trace_session__attach(t->session);
	gate__release();
	return err;
}

static int open_decoder(struct trace *t)
{
	t->sym = sym__new();
	t->tasks = tasks__new();
	if (!t->sym || !t->tasks || trace_decoder__init(&t->decoder, &t->opts->events, t->tasks)) {
		log_error("out of memory");
		return -ENOMEM;
	}
	callstacks__init(&t->callstacks, t->sym);
	if (wants_callstacks(t->opts))
		t->decoder.stacks = &t->callstacks.stacks;
	if (record_counters__init(&t->counters, &t->opts->counters)) {
		log_error("out of memory");
		return -ENOMEM;
	}
	if (t->opts->counters.events.cnt)
		t->decoder.counters = &t->counters.values;
	return 0;
}

/* The start by both clocks. */
static void set_anchor(struct sink_config *cfg)
{
	struct timespec mono, real;

	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC, &mono);
	cfg->start_mono_ns = (uint64_t)mono.tv_sec * 1000000000ull + (uint64_t)mono.tv_nsec;
	cfg->mono_to_real_ns =
		(real.tv_sec - mono.tv_sec) * 1000000000ll + real.tv_nsec - mono.tv_nsec;
}

/* What was counted in the kernel, to be shown by the sink. */
static int finish_agg(struct trace *t)
{
	int err;

	if (!(t->code.agg.mode & WIRE_AGG_ON))
		return 0;
	err = trace_code__result(&t->code, t->session, &t->agg);
	t->sink->cfg.agg = &t->agg;
	t->account.shown = t->agg.total;
	if (t->agg.not_counted)
		log_warn("%llu records are in no row: there are more than %d different keys; use "
			 "fewer fields, or a --filter",
			 (unsigned long long)t->agg.not_counted, WIRE_AGG_KEYS_MAX);
	return err;
}

/* From activate to the last record shown. */
static int run(struct trace *t)
{
	struct loop loop = {
		.src = t->src,
		.targets = &t->opts->common.targets,
		.workload = &t->workload,
		.out = &t->out,
		.duration_ns = t->opts->common.duration_ns,
		.every_ns = t->opts->counters.interval_ms * 1000000,
		.every = read_counter_rows,
		.fn = on_record,
		.ctx = t,
		.tick = on_tick,
	};
	int err, last;

	if (t->opts->overwrite) {
		t->recorder.sink = t->sink;
		t->recorder.fn = on_record;
		t->recorder.ctx = t;
		loop.view = &t->recorder.view;
	}
	out__begin(&t->out);
	set_anchor(&t->sink->cfg);
	err = sink__begin(t->sink);
	if (err)
		return err;
	/* Until here Ctrl-C ends bpfperf at once. */
	loop__block_signals();
	t->account.start_ns = mono_ns();
	if (t->decoder.counters)
		err = record_counters__begin(&t->counters, trace_session__counters(t->session),
					     t->src);
	trace_session__activate(t->session);
	if (!err)
		err = loop__run(&loop);
	trace_session__deactivate(t->session);
	if (loop.every_ns && !err)
		err = read_counter_rows(t);
	loop__unblock_signals();
	if (t->opts->overwrite && !err)
		err = recorder__end(&t->recorder);
	last = account__finish(&t->account, t->src, t->sink, on_record, t);
	trace_session__missed(t->session, account__missed, &t->account);
	t->account.skipped = budget__finish(&t->budget, &t->account);
	err = err < 0 ? err : last < 0 ? last : 0;
	t->sink->cfg.end_mono_ns = t->account.end_ns;
	if (!err)
		err = finish_agg(t);
	if (!err)
		err = sink__end(t->sink);
	last = out__close(&t->out);
	err = err ? err : last;
	account__summary(&t->account, t->src, "records");
	if (wants_callstacks(t->opts))
		callstacks__summary(&t->callstacks, t->account.cpus);
	if (t->lost_tasks)
		log_warn("process events were lost: threads that began meanwhile may be named by "
			 "their id");
	/* The reader of a pipe that has seen enough is no failure. */
	return err == -EPIPE ? 0 : err;
}

static void close_all(struct trace *t)
{
	trace_session__free(t->session);
	trace_code__free(&t->code);
	agg_result__free(&t->agg);
	budget__free(&t->budget);
	recorder__close(&t->recorder);
	live_source__free(t->src);
	workload__free(&t->workload);
	sink__free(t->sink);
	out__close(&t->out);
	trace_decoder__free(&t->decoder);
	callstacks__free(&t->callstacks);
	record_counters__free(&t->counters);
	tasks__free(t->tasks);
	sym__free(t->sym);
}

static int cmd_trace_run(void *opts, int argc, char **argv)
{
	struct trace_opts *o = opts;
	struct trace t = { .opts = o, .workload = WORKLOAD_INIT };
	const struct sink_ops *const *sinks, *ops;
	int status = EXIT_USAGE;

	t.account.begin_ns = mono_ns();
	t.account.overwrite = o->overwrite;
	/* What is counted in the kernel costs nobody else anything, nor does what is overwritten. */
	if (agg_opts__any(&o->agg) || (o->overwrite && !o->has_budget))
		o->budget = 0;
	else if (!o->has_budget)
		o->budget = BUDGET_DEFAULT;
	sinks = agg_opts__any(&o->agg) ? agg_sinks : trace_sinks;
	ops = sink__choose(sinks, o->common.format, o->common.output, sinks[0]);
	if (!ops || check_events(o) || check_agg(o) || check_overwrite(o) ||
	    counter_opts__check(&o->counters) || targets__check(&o->common.targets) ||
	    triggers__join(&o->triggers, &o->events) ||
	    trace_code__open(&t.code, &o->events, &o->agg, &o->triggers))
		goto cleanup;
	status = EXIT_FAILED;
	if (o->overwrite)
		recorder__block_signal();
	bpf_error__init();
	if (open_decoder(&t) || open_output(&t, ops, argc) ||
	    (argc && workload__prepare(&t.workload, argv)) || open_session(&t))
		goto cleanup;
	/* With CMD alone its first record is its exec, which names it. */
	if (!t.workload.pid || o->common.targets.all_cpus || o->common.targets.pid_cnt)
		tasks__scan(t.tasks);
	if (run(&t) == 0)
		status = o->lost_exit && t.account.lost + t.account.missed + t.account.skipped
				 ? EXIT_LOST
				 : EXIT_DONE;
cleanup:
	close_all(&t);
	event_list__free(&o->events);
	event_list__free(&o->counters.events);
	triggers__free(&o->triggers);
	targets__free(&o->common.targets);
	return status;
}

const struct command cmd_trace = {
	.name = "trace",
	.synopsis = "[OPTIONS] EVENT... [-- CMD ARG...]",
	.summary = "Shows every event, decoded, as it happens.",
	.opts = trace_opts,
	.opts_sz = sizeof(struct trace_opts),
	.positional = add_event,
	.run = cmd_trace_run,
};

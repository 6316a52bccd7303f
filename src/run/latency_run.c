// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/latency_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/opt.h"
#include "export/span_store.h"
#include "kernel/bpf_error.h"
#include "kernel/features.h"
#include "kernel/limits.h"
#include "machine/machine.h"
#include "run/agg_stacks.h"
#include "run/latency_each.h"
#include "run/latency_output.h"
#include "run/live_run.h"
#include "run/unwind_report.h"
#include "session/trace_session.h"
#include "sink/clock.h"
#include "sink/perfetto.h"
#include "sink/sink.h"
#include "util/log.h"
#include "util/mono.h"

struct latency {
	const struct latency_options *opts;
	struct latency_pairs *pairs;
	struct live_run run;
	struct trace_session *session;
	const struct span_format *format; /* of tables; NULL: the sink has durations alone */
	struct span_account accounts[WIRE_SPAN_PAIRS];
	struct latency_cells before; /* --interval: what was printed so far */
	unsigned int table_cnt;
	struct span_heat heat; /* of html */
	struct agg_stacks stacks; /* --by stack */
	struct latency_each each;
	struct span_store store; /* --to URL */
	struct machine_subscriber to_unwinder; /* --by stack: subscriber of process events */
};

static int latency__on_record(void *ctx, const struct record *rec)
{
	struct latency *l = ctx;
	int done;

	if (rec->kind == RECORD_PROC)
		return machine__process(l->run.machine, rec);
	if (rec->kind == RECORD_LOST)
		return losses__lost_record(l->run.sink, rec);
	if (rec->kind != RECORD_WIRE)
		return 0;
	done = latency_each__put(&l->each, rec, l->run.sink, &l->run.out.buf);
	if (done <= 0)
		return done;
	l->run.losses.shown++;
	if (l->opts->export.url)
		return span_store__is_full(&l->store)
			       ? span_store__send(&l->store, &(struct span_result){})
			       : 0;
	if (!l->format)
		return 0;
	return out__commit(&l->run.out);
}

static uint64_t latency__on_activate(void *ctx)
{
	return trace_session__activate(((struct latency *)ctx)->session);
}

static uint64_t latency__on_deactivate(void *ctx)
{
	return trace_session__deactivate(((struct latency *)ctx)->session);
}

static void latency__on_missed(void *ctx)
{
	struct latency *l = ctx;

	trace_session__missed(l->session, losses__missed, &l->run.losses);
	trace_session__absent(l->session, losses__absent, &l->run.losses);
}

/* Columns of the heat map. */
#define HEAT_SLICE_NS 100000000

/* Adds what was counted since the last call to the heat map. */
static int add_heat(struct latency *l)
{
	struct latency_cells now = {};
	int err = latency_cells__read(&now, l->pairs, l->session, NULL);

	if (!err)
		err = latency_cells__add_heat(&now, &l->before, real_ns(), &l->heat);
	latency_cells__free(&l->before);
	l->before = now;
	return err;
}

/* Prints what was counted since the interval before, or, at the end without intervals, all. */
static int print_table(struct latency *l, bool is_last)
{
	const struct span_print print = {
		.out = &l->run.out.buf,
		.sym = l->run.machine->sym,
		.hist = l->opts->hist,
		.heat = &l->heat,
	};
	bool is_interval = l->opts->interval_ns != 0 && l->format != &span_html;
	const char *names[WIRE_SPAN_PAIRS];
	struct latency_cells now = {};
	struct span_result res = {};
	unsigned int i;
	int err;

	if (!l->format)
		return 0;
	err = latency_cells__read(&now, l->pairs, l->session, &l->stacks);

	if (!err)
		err = latency_pairs__result(l->pairs, &now, is_interval ? &l->before : NULL,
					    &l->stacks, &res);
	for (i = 0; i < l->pairs->cnt; i++)
		names[i] = l->pairs->pairs[i].name;
	if (!err && l->opts->export.url && !is_last)
		err = span_maps__accounts(l->session, l->accounts, l->pairs->cnt);
	res.accounts = is_last || l->opts->export.url ? l->accounts : NULL;
	res.pair_names = names;
	res.pair_cnt = l->pairs->cnt;
	res.is_interval = is_interval;
	res.time_ns = real_ns();
	if (!err && l->opts->export.url)
		err = span_store__send(&l->store, &res);
	else if (!err)
		l->format->rows(&print, &res, !l->table_cnt++);
	span_result__free(&res);
	latency_cells__free(&l->before);
	l->before = now;
	return err ? err : out__commit(&l->run.out);
}

static int latency__on_interval(void *ctx)
{
	struct latency *l = ctx;

	/* The last rows are read at the end, after everything has stopped. */
	if (loop__is_time_over(&l->run.loop))
		return 0;
	return l->format == &span_html ? add_heat(l) : print_table(l, false);
}

static int latency__on_finish(void *ctx, int err)
{
	struct latency *l = ctx;
	unsigned int i;

	if (err)
		return 0;
	agg_stacks__finish(&l->stacks);
	l->run.sink->cfg.end_mono_ns = l->run.losses.end_ns;
	err = span_maps__accounts(l->session, l->accounts, l->pairs->cnt);
	for (i = 0; i < l->pairs->cnt && !l->opts->each; i++)
		l->run.losses.shown += l->accounts[i].matched;
	if (!err && l->format == &span_html)
		err = add_heat(l);
	span_heat__finish(&l->heat);
	return err ? err : print_table(l, true);
}

static const struct live_run_ops run_ops = {
	.record = latency__on_record,
	.activate = latency__on_activate,
	.deactivate = latency__on_deactivate,
	.missed = latency__on_missed,
	.finish = latency__on_finish,
};

/* Does each duration have the stacks of both ends? */
static bool has_stacks(const struct latency *l)
{
	return l->opts->callstack.kernel || l->opts->callstack.user;
}

/* Is each duration a record of a made-up event? */
static bool makes_events(const struct latency *l)
{
	return l->opts->each && !l->opts->export.url && !l->format;
}

static int check_output(const struct latency *l, const struct sink_ops *ops)
{
	bool by_stack = latency_pairs__by_stack(l->pairs);

	if (l->opts->export.url && (by_stack || has_stacks(l)))
		log_error("--to %s: a stack is no attribute; omit -g, and stack of --by",
			  l->opts->export.url);
	else if (has_stacks(l) && by_stack)
		log_error("-g adds stacks to the durations of --each, and --by stack to rows; give "
			  "one of them");
	else if (l->opts->interval_ns && !l->format)
		log_error("--interval: format %s has the durations alone; give text or json",
			  ops->name);
	else if (l->opts->interval_ns && l->format == &span_prometheus)
		log_error("--format prometheus is one table of the whole run; omit --interval");
	else if (by_stack && l->format == &span_prometheus)
		log_error("--format prometheus: a stack is no label; omit stack of --by");
	else if (by_stack && l->format == &span_html)
		log_error("--format html: a stack has no heat map; omit stack of --by");
	else if (by_stack && l->opts->interval_ns)
		log_error("--interval: stacks are named at the end; omit stack of --by");
	else if (makes_events(l))
		return latency_each__check(l->pairs, ops->name);
	else
		return 0;
	return -EINVAL;
}

static int open_each(struct latency *l)
{
	int err = latency_each__init(&l->each, l->pairs, l->run.machine, has_stacks(l));

	if (l->opts->export.url) {
		l->each.row = span_store__put_each;
		l->each.row_ctx = &l->store;
		return err;
	}
	if (!err && makes_events(l))
		return latency_each__use_events(&l->each);
	latency_lines__init(&l->each.lines, l->format == &span_json, has_stacks(l));
	return err;
}

/* Readable when messages were sent or not. */
static int latency__on_report(void *ctx)
{
	sender__read(&((struct latency *)ctx)->store.series.store.sender);
	return 0;
}

static int open_store(struct latency *l)
{
	int err = l->opts->export.url ? span_store__open(&l->store, &l->opts->export, l->opts->each)
				      : 0;

	if (!err && l->opts->export.url)
		loop__add_fd(&l->run.loop, l->store.series.store.sender.fd, latency__on_report, l);
	return err;
}

/* Records are of some tasks only: tracks of CPUs would have gaps. */
static const struct perfetto_config perfetto = {
	.extra = { PERFETTO_EXTRA, NULL },
	.tasks_filtered = true,
};

static int open_output(struct latency *l, const struct sink_ops *ops)
{
	struct sink_config cfg = {
		.time = TIME_MONO,
		.events = &l->each.events,
		.callstacks = has_stacks(l),
		.extras = &perfetto.extra,
	};
	int err = sink__open_out(ops, &l->run.out, l->opts->output);

	if (err)
		return err;
	l->run.machine = machine__new(NULL);
	if (l->run.machine) {
		agg_stacks__init(&l->stacks, l->run.machine);
		cfg.sym = l->run.machine->sym;
		err = l->opts->each ? open_each(l) : 0;
		l->run.sink = err ? NULL : sink__new(ops, &l->run.out, &cfg);
	}
	if (l->run.sink)
		return 0;
	log_error("out of memory");
	return -ENOMEM;
}

/* A wakeup's record has no process of the task that is woken: only a program can know it. */
static int check_woken(const struct latency *l)
{
	const struct targets *t = l->opts->targets;

	if (!latency_pairs__of_woken(l->pairs))
		return 0;
	if (!feature__have(FEATURE_BTF)) {
		log_error("runq needs the kernel's BTF (/sys/kernel/btf/vmlinux), which this "
			  "kernel lacks; use a kernel built with CONFIG_DEBUG_INFO_BTF");
		return -EOPNOTSUPP;
	}
	if (!t->cgroup && !t->has_uid)
		return 0;
	log_error("runq: a thread that is woken is known by its process, not by its user or "
		  "control group; use -p, -t or --comm in place of -u and -G");
	return -EINVAL;
}

/* Receivers of process events; attaching has started the unwinder. */
static void subscribe(struct latency *l)
{
	if (latency_pairs__by_stack(l->pairs))
		agg_stacks__subscribe(&l->stacks, l->run.machine);
	unwind_report__subscribe(trace_session__unwinder(l->session), l->run.machine,
				 &l->to_unwinder);
}

static int open_session(struct latency *l)
{
	const struct latency_options *o = l->opts;
	bool by_stack = latency_pairs__by_stack(l->pairs), stacks = by_stack || has_stacks(l);
	struct trace_config cfg = {
		.events = &l->pairs->events,
		.targets = o->targets,
		.by_task = targets__by_task(o->targets, l->run.workload.pid != 0),
		.cmd_pid = l->run.workload.pid,
		.ring_sz = o->ring_sz,
		.cmd_path = l->run.workload.pid ? l->run.workload.path : NULL,
		.kern_stack = by_stack || o->callstack.kernel,
		.user_stack = by_stack || o->callstack.user,
		.unwind = by_stack ? UNWIND_AUTO : o->callstack.unwind,
		.omit = interp_modes__omitted(&o->callstack.interp),
		.agg.mode = by_stack ? WIRE_AGG_STACK : 0,
		.patches = l->pairs->end_code,
		.starts = l->pairs->start_code,
		.patch_needs = l->pairs->needs,
		.spans = &l->pairs->spans,
	};
	struct live_config live = {
		.ring_sz = o->ring_sz,
		.task_read = machine__on_read,
		.read_ctx = l->run.machine,
		.want_mmap = stacks,
		.define = by_stack ? agg_stacks__define
			  : stacks ? callstacks__define
				   : NULL,
		.define_ctx = by_stack ? (void *)&l->stacks : &l->each.callstacks,
		.defs_fd = -1,
	};
	int err;

	l->session = trace_session__open(&cfg);
	if (!l->session)
		return -EINVAL;
	err = trace_session__load(l->session);
	if (!err)
		err = live_run__open_rings(&l->run, &live, trace_session__rings_fd(l->session),
					   trace_session__flush_fd(l->session),
					   trace_session__cpus(l->session));
	if (!err && stacks)
		machine__add_maps(l->run.machine, cfg.by_task, o->targets->pids,
				  o->targets->pid_cnt);
	if (!err)
		err = trace_session__attach(l->session);
	if (!err && stacks)
		subscribe(l);
	l->run.helper_fd = trace_session__helper_fd(l->session);
	return err;
}

static uint64_t lost(const struct latency *l)
{
	uint64_t cnt = l->run.losses.lost + l->run.losses.missed + l->run.losses.absent;
	unsigned int i;

	for (i = 0; i < l->pairs->cnt; i++)
		cnt += l->accounts[i].refused + l->accounts[i].uncounted;
	return cnt;
}

static int go(struct latency *l)
{
	uint64_t interval_ns = l->opts->interval_ns;
	unsigned int i;
	int err;

	l->run.loop = (struct loop){
		.targets = l->opts->targets,
		.duration_ns = l->opts->duration_ns,
	};
	l->run.ops = &run_ops;
	l->run.ctx = l;
	if (open_store(l))
		return -EIO;
	if (l->format == &span_html)
		interval_ns = interval_ns ? interval_ns : HEAT_SLICE_NS;
	span_heat__init(&l->heat, real_ns(), interval_ns);
	loop__add_timer(&l->run.loop, interval_ns, interval_ns, latency__on_interval, l);
	out__begin(&l->run.out);
	clock__set_start(&l->run.sink->cfg);
	err = sink__begin(l->run.sink);
	if (err)
		return err;
	hit_report__open(&l->run.hits, &l->pairs->events);
	err = live_run__go(&l->run);
	losses__summary(&l->run.losses, l->run.src, l->opts->each ? "records" : "durations");
	hit_report__summary(&l->run.hits);
	if (latency_pairs__by_stack(l->pairs))
		callstacks__summary(&l->stacks.callstacks, l->run.losses.cpus);
	if (has_stacks(l))
		callstacks__summary(&l->each.callstacks, l->run.losses.cpus);
	if (latency_pairs__by_stack(l->pairs) || has_stacks(l))
		unwind_report__summary(trace_session__unwinder(l->session));
	for (i = 0; i < l->pairs->cnt && !err; i++)
		latency_output__account(l->pairs->pairs[i].name, &l->accounts[i]);
	return err;
}

int latency_run(const struct latency_options *opts, struct latency_pairs *pairs, int argc,
		char **argv)
{
	struct latency l = {
		.opts = opts,
		.pairs = pairs,
		.run = { .workload = WORKLOAD_INIT, .losses = { .begin_ns = mono_ns() } },
		.store = SPAN_STORE_INIT,
	};
	const struct sink_ops *ops = latency_output__choose(opts->format, opts->output, opts->each);
	int status = EXIT_USAGE;

	l.format = ops ? latency_output__tables(ops) : NULL;
	if (opts->each)
		latency_pairs__send_each(pairs, opts->min_ns);
	if (!ops || latency_pairs__open(pairs, opts->by) || check_woken(&l) ||
	    check_output(&l, ops))
		goto cleanup;
	status = EXIT_FAILED;
	bpf_error__init();
	limits__raise_files();
	l.run.workload.user = opts->cmd_user;
	if (open_output(&l, ops) || (argc && workload__prepare(&l.run.workload, argv)) ||
	    open_session(&l))
		goto cleanup;
	if (go(&l) == 0)
		status = opts->lost_exit && lost(&l) ? EXIT_LOST : EXIT_DONE;
cleanup:
	latency_cells__free(&l.before);
	span_heat__free(&l.heat);
	trace_session__free(l.session);
	agg_stacks__free(&l.stacks);
	span_store__close(&l.store);
	latency_each__free(&l.each);
	live_run__close(&l.run);
	return status;
}

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
#include "run/live_run.h"
#include "run/unwind_report.h"
#include "session/trace_session.h"
#include "sink/sink.h"
#include "util/log.h"
#include "util/mono.h"

struct latency {
	const struct latency_options *opts;
	struct latency_pairs *pairs;
	struct live_run run;
	struct trace_session *session;
	const struct span_format *format;
	struct span_account accounts[WIRE_SPAN_PAIRS];
	struct latency_cells before; /* --interval: what was printed so far */
	unsigned int table_cnt;
	struct agg_stacks stacks; /* --by stack */
	struct latency_each each;
	struct span_store store; /* --to URL */
	struct machine_subscriber to_unwinder; /* --by stack: subscriber of process events */
};

/* Tables are made by a span_format; the sink has the output and its name. */
#define TABLE_SINK(format, suffixes)                                                               \
	{                                                                                          \
		.name = format, .suffix = suffixes                                                 \
	}
static const struct sink_ops text_table = TABLE_SINK("text", ".txt .log .out");
static const struct sink_ops json_table = TABLE_SINK("json", ".json");
static const struct sink_ops csv_table = TABLE_SINK("csv", ".csv");
static const struct sink_ops prometheus_table = TABLE_SINK("prometheus", ".prom");
static const struct sink_ops *const table_sinks[] = { &text_table, &json_table, &csv_table,
						      &prometheus_table, NULL };
static const struct span_format *const formats[] = { &span_text, &span_json, &span_csv,
						     &span_prometheus };

static uint64_t real_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

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
	done = latency_each__put(&l->each, rec,
				 l->opts->export.url ? &l->store.rows : &l->run.out.buf);
	if (done <= 0)
		return done;
	l->run.losses.shown++;
	if (!l->opts->export.url)
		return out__commit(&l->run.out);
	l->store.row_cnt++;
	return l->store.rows.len < SPAN_STORE_ROWS_MAX
		       ? 0
		       : span_store__send(&l->store, &(struct span_result){});
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

/* Prints what was counted since the interval before, or, at the end without intervals, all. */
static int print_table(struct latency *l, bool is_last)
{
	const struct span_print print = {
		.out = &l->run.out.buf,
		.sym = l->run.machine->sym,
		.hist = l->opts->hist,
	};
	bool is_interval = l->opts->interval_ns != 0;
	const char *names[WIRE_SPAN_PAIRS];
	struct latency_cells now = {};
	struct span_result res = {};
	unsigned int i;
	int err = latency_cells__read(&now, l->pairs, l->session, &l->stacks);

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
	return loop__is_time_over(&l->run.loop) ? 0 : print_table(l, false);
}

static int latency__on_finish(void *ctx, int err)
{
	struct latency *l = ctx;
	unsigned int i;

	if (err)
		return 0;
	agg_stacks__finish(&l->stacks);
	err = span_maps__accounts(l->session, l->accounts, l->pairs->cnt);
	for (i = 0; i < l->pairs->cnt && !l->opts->each; i++)
		l->run.losses.shown += l->accounts[i].matched;
	return err ? err : print_table(l, true);
}

static const struct live_run_ops run_ops = {
	.record = latency__on_record,
	.activate = latency__on_activate,
	.deactivate = latency__on_deactivate,
	.missed = latency__on_missed,
	.finish = latency__on_finish,
};

static int check_output(const struct latency *l, const struct sink_ops *ops)
{
	bool by_stack = latency_pairs__by_stack(l->pairs);

	if (l->opts->export.url && by_stack)
		log_error("--to %s: a stack is no attribute; omit stack of --by",
			  l->opts->export.url);
	else if (l->opts->each && ops != &text_table && ops != &json_table)
		log_error("--each, --min-us: format %s has tables alone; give text or json",
			  ops->name);
	else if (l->opts->interval_ns && ops == &prometheus_table)
		log_error("--format prometheus is one table of the whole run; omit --interval");
	else if (by_stack && ops == &prometheus_table)
		log_error("--format prometheus: a stack is no label; omit stack of --by");
	else if (by_stack && l->opts->interval_ns)
		log_error("--interval: stacks are named at the end; omit stack of --by");
	else
		return 0;
	return -EINVAL;
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

/* Lines of durations are in the format of the tables. */
static int open_each(struct latency *l, const struct sink_ops *ops)
{
	l->each.put = l->opts->export.url  ? span_store__put_each
		      : ops == &json_table ? span_each__put_json
					   : span_each__put_text;
	l->each.needs = l->opts->export.url || ops == &json_table ? 0 : SAMPLE_NEEDS_TEXT;
	if (!l->opts->each || !latency_each__init(&l->each, l->pairs, l->run.machine))
		return 0;
	log_error("out of memory");
	return -ENOMEM;
}

static int open_output(struct latency *l, const struct sink_ops *ops)
{
	const struct sink_config cfg = { .time = TIME_MONO };
	int err = sink__open_out(ops, &l->run.out, l->opts->output);
	size_t i;

	if (err)
		return err;
	for (i = 0; table_sinks[i]; i++)
		if (table_sinks[i] == ops)
			l->format = formats[i];
	l->run.sink = sink__new(ops, &l->run.out, &cfg);
	l->run.machine = machine__new(NULL);
	if (l->run.sink && l->run.machine) {
		agg_stacks__init(&l->stacks, l->run.machine);
		return open_each(l, ops);
	}
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
	struct unwinder *unwinder = trace_session__unwinder(l->session);

	agg_stacks__subscribe(&l->stacks, l->run.machine);
	if (!unwinder)
		return;
	l->to_unwinder = (struct machine_subscriber){
		.fn = unwind_report__on_event,
		.ctx = unwinder,
	};
	machine__subscribe_at_read(l->run.machine, &l->to_unwinder);
}

static int open_session(struct latency *l)
{
	const struct latency_options *o = l->opts;
	bool by_stack = latency_pairs__by_stack(l->pairs);
	struct trace_config cfg = {
		.events = &l->pairs->events,
		.targets = o->targets,
		.by_task = targets__by_task(o->targets, l->run.workload.pid != 0),
		.cmd_pid = l->run.workload.pid,
		.ring_sz = o->ring_sz,
		.cmd_path = l->run.workload.pid ? l->run.workload.path : NULL,
		.kern_stack = by_stack,
		.user_stack = by_stack,
		.unwind = by_stack ? UNWIND_AUTO : UNWIND_KERNEL,
		.agg.mode = by_stack ? WIRE_AGG_STACK : 0,
		.patches = l->pairs->end_code,
		.starts = l->pairs->start_code,
		.patch_needs = l->pairs->needs,
		.spans = &l->pairs->spans,
	};
	struct live_config live = {
		.ring_sz = o->ring_sz,
		.task_read = machine__on_read,
		.task_ctx = l->run.machine,
		.want_mmap = by_stack,
		.define = by_stack ? agg_stacks__define : NULL,
		.define_ctx = &l->stacks,
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
	if (!err && by_stack)
		machine__add_maps(l->run.machine, cfg.by_task, o->targets->pids,
				  o->targets->pid_cnt);
	if (!err)
		err = trace_session__attach(l->session);
	if (!err && by_stack)
		subscribe(l);
	l->run.helper_fd = trace_session__helper_fd(l->session);
	return err;
}

static void log_account(const char *name, const struct span_account *a)
{
	log_note("%s: %llu starts: %llu ended, %llu were repeated, %llu had no end; %llu ends: "
		 "%llu had a start, %llu had none",
		 name, (unsigned long long)a->starts, (unsigned long long)a->matched,
		 (unsigned long long)a->overwritten, (unsigned long long)(a->waiting + a->gone),
		 (unsigned long long)a->ends, (unsigned long long)a->matched,
		 (unsigned long long)a->without_start);
	if (a->refused)
		log_warn("%s: %llu starts found no room, because more than %d waited for their "
			 "end; watch fewer by -p",
			 name, (unsigned long long)a->refused, WIRE_SPAN_STARTS);
	if (a->uncounted)
		log_warn("%s: %llu durations are in no row: there is room for %u rows and "
			 "buckets; use fewer fields of --by",
			 name, (unsigned long long)a->uncounted, span_maps__room());
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
	loop__add_timer(&l->run.loop, l->opts->interval_ns, l->opts->interval_ns,
			latency__on_interval, l);
	out__begin(&l->run.out);
	err = live_run__go(&l->run);
	losses__summary(&l->run.losses, l->run.src, l->opts->each ? "records" : "durations");
	if (latency_pairs__by_stack(l->pairs)) {
		callstacks__summary(&l->stacks.callstacks, l->run.losses.cpus);
		unwind_report__summary(trace_session__unwinder(l->session));
	}
	for (i = 0; i < l->pairs->cnt && !err; i++)
		log_account(l->pairs->pairs[i].name, &l->accounts[i]);
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
	const struct sink_ops *ops =
		sink__choose(table_sinks, opts->format, opts->output, &text_table);
	int status = EXIT_USAGE;

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
	trace_session__free(l.session);
	agg_stacks__free(&l.stacks);
	span_store__close(&l.store);
	latency_each__free(&l.each);
	live_run__close(&l.run);
	return status;
}

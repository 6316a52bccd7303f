// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/strace_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/opt.h"
#include "kernel/bpf_error.h"
#include "kernel/limits.h"
#include "machine/machine.h"
#include "machine/tasks.h"
#include "run/live_run.h"
#include "run/strace_budget.h"
#include "run/strace_perfetto.h"
#include "run/strace_stacks.h"
#include "session/strace_filter.h"
#include "session/strace_session.h"
#include "sink/sink.h"
#include "strace/call_format.h"
#include "strace/call_set.h"
#include "strace/fd_names.h"
#include "util/log.h"
#include "util/mono.h"

/* Bytes of each ring, where calls are only counted. */
#define COUNTS_RING_SZ 65536

struct strace {
	const struct strace_options *opts;
	struct live_run run;
	struct strace_session *session;
	struct call_table *table;
	struct call_printer *printer;
	struct fd_names *fds; /* -y */
	struct strace_stacks stacks; /* -k */
	struct strace_filter *filter; /* --filter */
	struct strace_budget budget;
};

/* Lines are made by the printer, which the sink has in priv. */
static int on_lost(struct sink *sink, const struct lost *l)
{
	struct call_printer **printer = sink->priv;

	call_printer__lost(*printer, l->time_ns, l->cnt, lost_cause__name(l->cause));
	return out__commit(sink->out);
}

#define CALL_SINK(format)                                                                          \
	{                                                                                          \
		.name = format, .priv_sz = sizeof(struct call_printer *), .lost = on_lost,         \
	}
static const struct sink_ops text_calls = CALL_SINK("text");
static const struct sink_ops json_calls = CALL_SINK("json");
static const struct sink_ops csv_calls = CALL_SINK("csv");
static const struct sink_ops perfetto_calls = CALL_SINK("perfetto");
static const struct sink_ops *const call_sinks[] = { &text_calls, &json_calls, &csv_calls,
						     &perfetto_calls, NULL };
static const struct call_format_ops *const formats[] = { &call_text, &call_json, &call_csv,
							 &call_perfetto };

static int strace__on_record(void *ctx, const struct record *rec)
{
	struct strace *s = ctx;

	if (rec->kind == RECORD_PROC)
		return machine__process(s->run.machine, rec);
	if (rec->kind == RECORD_LOST)
		return losses__lost_record(s->run.sink, rec);
	if (rec->kind != RECORD_WIRE)
		return 0;
	s->run.losses.shown++;
	if (call_printer__record(s->printer, rec->wire))
		return out__commit(&s->run.out);
	return 0;
}

static int strace__on_tick(void *ctx)
{
	strace_budget__check(&((struct strace *)ctx)->budget, mono_ns());
	return 0;
}

static uint64_t strace__on_activate(void *ctx)
{
	return strace_session__activate(((struct strace *)ctx)->session);
}

static uint64_t strace__on_deactivate(void *ctx)
{
	return strace_session__deactivate(((struct strace *)ctx)->session);
}

static void strace__on_missed(void *ctx)
{
	struct strace *s = ctx;
	uint64_t missed = strace_session__missed(s->session);
	uint64_t refused = strace_session__refused(s->session);

	if (missed)
		losses__missed(&s->run.losses, NULL, missed);
	if (refused)
		log_warn("%llu calls have no time and no copies made at their entry, because too "
			 "many threads were traced at once; trace fewer by -p",
			 (unsigned long long)refused);
}

static int on_unfinished(void *ctx, const struct strace_thread *t)
{
	call_printer__unfinished(((struct strace *)ctx)->printer, t);
	return 0;
}

/* Prints the table of -c and -C. */
static int print_summary(struct strace *s)
{
	size_t cnt = (size_t)STRACE_ABIS * STRACE_CALLS, i, used = 0;
	struct summary_row *rows = calloc(cnt, sizeof(*rows));
	int err = 0;

	if (!rows)
		return -ENOMEM;
	for (i = 0; i < cnt && !err; i++) {
		struct summary_row *r = &rows[used];

		if (!s->table->calls[i].name)
			continue;
		err = strace_session__count(s->session, (uint32_t)i, &r->count);
		r->name = s->table->calls[i].name;
		used += r->count.calls != 0;
	}
	if (!err)
		summary__print(&s->run.out.buf, rows, used, &s->opts->summary);
	free(rows);
	return err ? err : out__commit(&s->run.out);
}

/* The name that the thread had at the time of the record that is printed. */
static const char *task_name(void *ctx, uint32_t tid)
{
	const char *name = tasks__comm(((struct strace *)ctx)->run.machine->tasks, (int32_t)tid);

	return name[0] == ':' ? NULL : name;
}

static int strace__on_finish(void *ctx, int err)
{
	struct strace *s = ctx;
	unsigned int status = s->opts->status ? s->opts->status : STATUS_ALL;

	s->run.losses.skipped = strace_budget__finish(&s->budget, &s->run.losses);
	if (err)
		return 0;
	/* The result of an unfinished call, on which the filter may depend, is not known. */
	if (!s->opts->counts && !s->filter && status & STATUS_UNFINISHED) {
		strace_session__unfinished(s->session, on_unfinished, s);
		call_printer__end(s->printer);
	}
	if (!s->opts->counts)
		call_printer__finish(s->printer);
	return s->opts->counts || s->opts->counts_too ? print_summary(s) : 0;
}

static const struct live_run_ops run_ops = {
	.record = strace__on_record,
	.tick = strace__on_tick,
	.activate = strace__on_activate,
	.deactivate = strace__on_deactivate,
	.missed = strace__on_missed,
	.finish = strace__on_finish,
};

static int64_t mono_to_real(void)
{
	struct timespec mono, real;

	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC, &mono);
	return (real.tv_sec - mono.tv_sec) * 1000000000ll + real.tv_nsec - mono.tv_nsec;
}

static int open_output(struct strace *s, const struct sink_ops *ops)
{
	struct sink_config cfg = { .time = TIME_MONO, .callstacks = s->opts->stacks };
	struct printer_opts opts = s->opts->printer;
	size_t i;
	int err = sink__open_out(ops, &s->run.out, s->opts->output);

	if (err)
		return err;
	s->run.sink = sink__new(ops, &s->run.out, &cfg);
	opts.mono_to_real_ns = mono_to_real();
	for (i = 0; call_sinks[i]; i++)
		if (call_sinks[i] == ops)
			opts.format = formats[i];
	if (opts.text.fd_paths || opts.text.paths)
		opts.text.fds = s->fds = fd_names__new();
	if (opts.text.decode_pids || opts.format == &call_perfetto) {
		opts.text.task_name = task_name;
		opts.text.task_ctx = s;
	}
	s->run.machine = machine__new(NULL);
	if (s->opts->stacks && s->run.machine) {
		strace_stacks__init(&s->stacks, s->run.machine);
		opts.put_stack = strace_stacks__put;
		opts.stack_ctx = &s->stacks;
	}
	s->printer = call_printer__new(s->table, &opts, &s->run.out.buf);
	if (s->run.sink && s->printer && s->run.machine) {
		*(struct call_printer **)s->run.sink->priv = s->printer;
		return 0;
	}
	log_error("out of memory");
	return -ENOMEM;
}

static int open_session(struct strace *s)
{
	const struct strace_options *o = s->opts;
	unsigned int status = o->status ? o->status : STATUS_ALL;
	/* The kernel takes milliseconds for large rings; calls that are counted send nothing. */
	size_t ring_sz = o->counts && !o->ring_sz ? COUNTS_RING_SZ : o->ring_sz;
	struct strace_config cfg = {
		.targets = o->targets,
		.by_task = targets__by_task(o->targets, s->run.workload.pid != 0),
		.cmd_pid = s->run.workload.pid,
		.cmd_path = s->run.workload.pid ? s->run.workload.path : NULL,
		.ring_sz = ring_sz,
		.calls = s->table->wire,
		.counts = o->counts || o->counts_too,
		.counts_only = o->counts,
		.only_successful = !(status & STATUS_FAILED),
		.only_failed = !(status & STATUS_SUCCESSFUL),
		.min_ns = o->min_ns,
		.no_signals = o->no_signals,
		.user_stack = o->stacks,
		.files = o->printer.text.fd_paths || o->printer.text.paths,
		.filter = s->filter,
		.has_budget = o->budget != 0,
	};
	struct live_config live = {
		.ring_sz = ring_sz,
		.task_read = machine__on_read,
		.read_ctx = s->run.machine,
		.want_mmap = o->stacks,
		.define = o->stacks ? callstacks__define : NULL,
		.define_ctx = &s->stacks.callstacks,
		.defs_fd = -1,
	};
	int err;

	s->session = strace_session__open(&cfg);
	if (!s->session)
		return -EINVAL;
	if (s->opts->printer.text.decode_pids)
		machine__add_names(s->run.machine);
	err = strace_budget__init(&s->budget, o->budget, s->table, s->session);
	if (!err)
		err = strace_session__load(s->session);
	if (!err)
		err = live_run__open_rings(&s->run, &live, strace_session__rings_fd(s->session),
					   strace_session__flush_fd(s->session),
					   strace_session__cpus(s->session));
	if (!err && o->stacks)
		machine__add_maps(s->run.machine, cfg.by_task, o->targets->pids,
				  o->targets->pid_cnt);
	if (!err)
		err = strace_session__attach(s->session);
	s->stacks.cmd_pid = (uint32_t)s->run.workload.pid;
	if (!err && o->stacks)
		strace_stacks__subscribe(&s->stacks, s->run.machine,
					 strace_session__unwinder(s->session));
	s->run.unwinder = strace_session__unwinder(s->session);
	s->run.helper_fd = strace_session__helper_fd(s->session);
	return err;
}

/* A process that ends soon would be gone before its first record is read. */
static void learn_descriptors(struct strace *s)
{
	const struct targets *t = s->opts->targets;
	size_t i;

	if (!s->fds)
		return;
	if (s->run.workload.pid)
		fd_names__add_process(s->fds, s->run.workload.pid);
	for (i = 0; i < t->pid_cnt; i++)
		fd_names__add_process(s->fds, t->pids[i]);
}

static int go(struct strace *s)
{
	int err;

	s->run.loop = (struct loop){
		.targets = s->opts->targets,
		.duration_ns = s->opts->duration_ns,
	};
	learn_descriptors(s);
	s->run.ops = &run_ops;
	s->run.ctx = s;
	out__begin(&s->run.out);
	if (!s->opts->counts)
		call_printer__begin(s->printer);
	err = live_run__go(&s->run);
	losses__summary(&s->run.losses, s->run.src, "records");
	if (s->opts->stacks) {
		callstacks__summary(&s->stacks.callstacks, s->run.losses.cpus);
		unwind_report__summary(strace_session__unwinder(s->session));
	}
	return err;
}

int strace_run(const struct strace_options *opts, int argc, char **argv)
{
	const struct fetch_limits limits = {
		.str_sz = opts->printer.text.str_sz,
		.verbose = opts->printer.text.verbose,
		.files = opts->printer.text.fd_paths || opts->printer.text.paths,
	};
	struct strace s = {
		.opts = opts,
		.run = { .workload = WORKLOAD_INIT, .losses = { .begin_ns = mono_ns() } },
	};
	const struct sink_ops *ops = sink__choose(call_sinks, opts->format, NULL, &text_calls);
	int status = EXIT_USAGE;

	if (!ops)
		return EXIT_USAGE;
	s.table = call_table__new(&limits);
	if (!s.table) {
		log_error("out of memory");
		return EXIT_FAILED;
	}
	if (call_set__choose(s.table, opts->calls))
		goto cleanup;
	if (opts->filter && !(s.filter = strace_filter__new(opts->filter)))
		goto cleanup;
	status = EXIT_FAILED;
	bpf_error__init();
	limits__raise_files();
	s.run.workload.user = opts->cmd_user;
	if (open_output(&s, ops) || (argc && workload__prepare(&s.run.workload, argv)) ||
	    open_session(&s))
		goto cleanup;
	if (go(&s) == 0)
		status = opts->lost_exit && s.run.losses.lost + s.run.losses.missed +
						    s.run.losses.skipped
				 ? EXIT_LOST
				 : EXIT_DONE;
cleanup:
	strace_session__free(s.session);
	strace_budget__free(&s.budget);
	strace_filter__free(s.filter);
	call_printer__free(s.printer);
	fd_names__free(s.fds);
	strace_stacks__free(&s.stacks);
	live_run__close(&s.run);
	call_table__free(s.table);
	return status;
}

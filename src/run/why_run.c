// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/why_run.h"

#include <errno.h>

#include <linux/types.h>

#include "cli/opt.h"
#include "decode/stack_record.h"
#include "kernel/bpf_error.h"
#include "kernel/limits.h"
#include "profile/profile.h"
#include "run/sampler.h"
#include "run/sampler_open.h"
#include "run/sampler_priv.h"
#include "run/why_feed.h"
#include "run/why_formats.h"
#include "session/stack_session.h"
#include "sink/sink.h"
#include "sym/sym.h"
#include "util/log.h"
#include "util/mono.h"

/* Steps of a path on a CPU are told apart by samples: one each millisecond. */
#define DEFAULT_HZ 997

struct why {
	const struct why_options *opts;
	struct sampler_config cfg;
	struct sampler st; /* the session, its rings and stacks */
	struct why_timeline tl;
	struct why_feed feed;
	struct why_result res;
	const struct why_format *format;
	/* Events by index: the clock, then those of --from, then those of --to. */
	uint32_t from, to;
};

static void why__on_sample(struct why *w, const struct sample *s, uint32_t event)
{
	if (event < w->from)
		why_feed__add_sample(&w->feed, s);
	else if (event < w->to)
		why_feed__begin_request(&w->feed, s);
	else
		why_feed__end_request(&w->feed, s);
}

static int why__on_record(void *ctx, const struct record *rec)
{
	struct why *w = ctx;
	struct offcpu off;
	struct sample s;

	if (rec->kind == RECORD_PROC)
		return machine__process(w->st.run.machine, rec);
	if (rec->kind == RECORD_LOST)
		return losses__lost_record(w->st.run.sink, rec);
	if (rec->kind != RECORD_WIRE)
		return 0;
	if (offcpu_record__read(rec->wire, &off))
		why_feed__add_absence(&w->feed, &off);
	else if (stack_record__sample(rec->wire, rec->cpu, w->st.max_depth,
				      w->st.run.machine->tasks, &s))
		why__on_sample(w, &s, stack_record__event(rec->wire));
	else
		return 0;
	w->st.run.losses.shown++;
	return 0;
}

static uint64_t why__on_activate(void *ctx)
{
	struct why *w = ctx;
	uint64_t when = stack_session__activate(w->st.session);

	w->tl.begin_ns = when;
	w->st.begin_err = off_cpu__begin(&w->st.off_cpu, w->st.session, when);
	return when;
}

static uint64_t why__on_deactivate(void *ctx)
{
	return stack_session__deactivate(((struct why *)ctx)->st.session);
}

static void why__on_missed(void *ctx)
{
	struct why *w = ctx;

	stack_session__missed(w->st.session, losses__missed, &w->st.run.losses);
}

static int why__on_tick(void *ctx)
{
	sym__go_ahead(((struct why *)ctx)->st.run.machine->sym);
	return 0;
}

/* A thread that has not come back. */
static int put_away(void *ctx, uint32_t tid, const struct wire_offcpu_entry *away)
{
	struct why *w = ctx;
	uint64_t end_ns = w->st.run.losses.end_ns;
	struct offcpu off = { .time_ns = end_ns, .end_ns = end_ns, .tid = tid, .away = away };

	if (end_ns > away->start_ns)
		why_feed__add_absence(&w->feed, &off);
	return 0;
}

static int analyse(struct why *w)
{
	const struct targets *t = w->opts->targets;
	const struct why_subject subject = {
		.tid = w->feed.cmd_pid,
		.pids = t->pids,
		.pid_cnt = t->pid_cnt,
		.tids = t->tids,
		.tid_cnt = t->tid_cnt,
	};

	why_timeline__finish(&w->tl, w->st.run.losses.end_ns);
	w->res.lost_cnt = w->st.run.losses.lost + w->st.run.losses.missed;
	w->res.has_requests = w->opts->from != NULL;
	return why_result__find(&w->res, &w->tl, &subject);
}

static int why__on_finish(void *ctx, int err)
{
	struct why *w = ctx;

	if (err || w->st.begin_err)
		return w->st.begin_err;
	err = stack_session__away(w->st.session, put_away, w);
	why_feed__check_running(&w->feed, w->st.run.losses.end_ns);
	if (!err)
		err = analyse(w);
	if (err == -ENOMEM)
		log_error("out of memory");
	if (err)
		return err;
	w->format->put(&w->res, &w->st.run.out.buf);
	return out__commit(&w->st.run.out);
}

static const struct live_run_ops run_ops = {
	.record = why__on_record,
	.tick = why__on_tick,
	.activate = why__on_activate,
	.deactivate = why__on_deactivate,
	.missed = why__on_missed,
	.finish = why__on_finish,
};

static int open_output(struct why *w, const struct sink_ops *ops)
{
	const struct sink_config cfg = { .time = TIME_MONO };
	struct live_run *run = &w->st.run;
	int err = sink__open_out(ops, &run->out, w->opts->output);

	if (err)
		return err;
	w->format = why_formats__of(ops);
	run->sink = sink__new(ops, &run->out, &cfg);
	if (run->sink)
		return 0;
	log_error("out of memory");
	return -ENOMEM;
}

static int open_session(struct why *w)
{
	struct live_run *run = &w->st.run;
	int err = sampler_open__session(&w->st);

	if (err)
		return err;
	why_timeline__init(&w->tl, run->machine->sym);
	w->feed = (struct why_feed){
		.tl = &w->tl,
		.machine = run->machine,
		.off_cpu = &w->st.off_cpu,
		.all_tasks = !targets__by_task(w->opts->targets, run->workload.pid != 0),
		.cmd_pid = run->workload.pid,
	};
	why_feed__subscribe(&w->feed);
	return 0;
}

static int go(struct why *w)
{
	struct live_run *run = &w->st.run;
	int err;

	run->loop = (struct loop){
		.targets = w->opts->targets,
		.duration_ns = w->opts->duration_ns,
	};
	run->ops = &run_ops;
	run->ctx = w;
	out__begin(&run->out);
	err = live_run__go(run);
	losses__summary(&run->losses, run->src, "records");
	off_cpu__summary(&w->st.off_cpu, w->st.session);
	unwind_report__summary(stack_session__unwinder(w->st.session));
	if (w->tl.unpaired_cnt)
		log_note("%llu requests are not explained: their begin or their end was not seen",
			 (unsigned long long)w->tl.unpaired_cnt);
	if (w->tl.thread_refused)
		log_warn("%llu threads are not in the result, because there is room for %u; "
			 "explain a shorter time, or fewer processes",
			 (unsigned long long)w->tl.thread_refused, WHY_THREADS_MAX);
	if (w->tl.out_of_memory)
		log_warn("%llu times off the CPU are missing: out of memory",
			 (unsigned long long)w->tl.out_of_memory);
	return err;
}

/* Adds the tracepoints that a pattern matches. */
static int add_tracepoints(struct why *w, const char *option, const char *pattern)
{
	struct event_list *events = &w->cfg.events;
	size_t i = events->cnt;
	int err = pattern ? event_list__add(events, pattern) : 0;

	for (; i < events->cnt && !err; i++) {
		if (events->events[i]->kind == EVENT_TRACEPOINT)
			continue;
		log_error("%s %s: a request is delimited by tracepoints; choose one of bpfperf "
			  "list",
			  option, pattern);
		err = -EINVAL;
	}
	return err;
}

/* Recorded are times off the CPU with wakers and facts, samples by a clock, requests. */
static int check_config(struct why *w)
{
	const struct why_options *o = w->opts;
	int err;

	w->cfg = (struct sampler_config){
		/* Not freq_hz, which would be the rate of tracepoints, too. */
		.default_hz = o->freq_hz ? o->freq_hz : DEFAULT_HZ,
		.off_cpu = true,
		.wakers = true,
		.facts = true,
		.no_inline = true,
		.unwind = UNWIND_AUTO,
		.targets = o->targets,
		.cmd_user = o->cmd_user,
		.duration_ns = o->duration_ns,
		.ring_sz = o->ring_sz,
		.output = o->output,
	};
	err = event_list__add(&w->cfg.events, "cpu-clock");
	w->from = (uint32_t)w->cfg.events.cnt;
	if (!err)
		err = add_tracepoints(w, "--from", o->from);
	w->to = (uint32_t)w->cfg.events.cnt;
	if (!err)
		err = add_tracepoints(w, "--to", o->to);
	if (!err && w->cfg.events.cnt > PROFILE_MAX_EVENTS) {
		log_error("--from and --to are %zu tracepoints together, and %d at most can be "
			  "followed; name fewer, such as raw_syscalls:sys_enter for all calls",
			  w->cfg.events.cnt - w->from, PROFILE_MAX_EVENTS - (int)w->from);
		err = -EINVAL;
	}
	return err ? err : sampler__check(&w->cfg);
}

int why_run(const struct why_options *opts, int argc, char **argv)
{
	struct why w = {
		.opts = opts,
		.st = { .run = { .workload = WORKLOAD_INIT, .losses = { .begin_ns = mono_ns() } } },
	};
	const struct sink_ops *ops = why_formats__choose(opts->format, opts->output);
	struct live_run *run = &w.st.run;
	int status = EXIT_USAGE;

	w.st.cfg = &w.cfg;
	w.res.title = argc ? argv[0] : "";
	if (!ops || check_config(&w))
		goto cleanup;
	w.st.max_depth = (uint32_t)w.cfg.max_depth;
	status = EXIT_FAILED;
	bpf_error__init();
	limits__raise_files();
	run->workload.user = opts->cmd_user;
	if (sampler_open__decoder(&w.st) || open_output(&w, ops) ||
	    (argc && workload__prepare(&run->workload, argv)) || open_session(&w))
		goto cleanup;
	if (go(&w) == 0)
		status = opts->lost_exit && w.res.lost_cnt ? EXIT_LOST : EXIT_DONE;
cleanup:
	stack_session__free(w.st.session);
	why_result__free(&w.res);
	why_timeline__free(&w.tl);
	off_cpu__free(&w.st.off_cpu);
	live_run__close(run);
	event_list__free(&w.cfg.events);
	return status;
}

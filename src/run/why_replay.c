// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/why_replay.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "cli/opt.h"
#include "data/recording.h"
#include "event/event.h"
#include "machine/proc_event.h"
#include "machine/tasks.h"
#include "run/replay.h"
#include "run/why_formats.h"
#include "run/why_run.h"
#include "run/why_switches.h"
#include "sink/out.h"
#include "util/err.h"
#include "util/log.h"
#include "util/stop_signals.h"

struct why_replay {
	const struct why_options *opts;
	struct replay replay;
	struct out out;
	struct why_timeline tl;
	struct why_switches switches;
	struct why_result res;
	struct machine_subscriber subscriber;
	const struct why_format *format;
	bool has_begun;
};

static void begin_at(struct why_replay *w, uint64_t time_ns)
{
	if (!w->has_begun)
		w->tl.begin_ns = time_ns;
	w->has_begun = true;
	w->tl.end_ns = time_ns;
}

static int on_event(void *ctx, const struct proc_event *ev, const struct record *rec)
{
	struct why_replay *w = ctx;

	/* Events without a time tell of threads that were there before. */
	if (!rec->time_ns || !w->has_begun)
		return 0;
	if (ev->kind == PROC_FORK || ev->kind == PROC_THREAD)
		why_timeline__start(&w->tl, ev->tid, ev->pid, ev->parent_tid, rec->time_ns);
	else if (ev->kind == PROC_EXIT || ev->kind == PROC_THREAD_EXIT)
		why_timeline__exit(&w->tl, ev->tid, rec->time_ns);
	return 0;
}

static bool is_event(const char *pattern, const struct event *ev)
{
	return pattern && !fnmatch(pattern, ev->name, 0);
}

static unsigned int replay_needs(void *ctx, const struct sample *s)
{
	return SAMPLE_KEEP | SAMPLE_NEEDS_STACK;
}

static int replay_sample(void *ctx, const struct sample *s)
{
	struct why_replay *w = ctx;

	begin_at(w, s->time_ns);
	if (is_event(w->opts->from, s->event))
		why_timeline__begin_request(
			&w->tl, why_switches__thread(&w->switches, s->tid, s->pid), s->time_ns);
	if (is_event(w->opts->to, s->event))
		why_timeline__end_request(
			&w->tl, why_switches__thread(&w->switches, s->tid, s->pid), s->time_ns);
	return why_switches__add(&w->switches, s);
}

static int replay_begin(void *ctx)
{
	struct why_replay *w = ctx;
	const struct event_list *events = replay__events(&w->replay);
	size_t i;

	for (i = 0; i < events->cnt; i++)
		if (!strcmp(events->events[i]->name, "sched:sched_switch"))
			return 0;
	log_error("the recording has no sched:sched_switch, which tells when threads leave a CPU; "
		  "record with bpfperf record -a -g -e sched:sched_switch,sched:sched_waking");
	return -EINVAL;
}

static int explain(struct why_replay *w)
{
	const struct targets *t = w->opts->targets;
	const struct why_subject subject = {
		.pids = t->pids,
		.pid_cnt = t->pid_cnt,
		.tids = t->tids,
		.tid_cnt = t->tid_cnt,
	};

	why_switches__finish(&w->switches);
	why_timeline__finish(&w->tl, w->tl.end_ns);
	w->res.title = w->opts->input;
	w->res.has_requests = w->opts->from != NULL;
	w->res.lost_cnt = replay_losses__lost_cnt(&w->replay.losses);
	return why_result__find(&w->res, &w->tl, &subject);
}

static int read_and_print(struct why_replay *w)
{
	static const struct replay_ops ops = {
		.begin = replay_begin,
		.needs = replay_needs,
		.sample = replay_sample,
	};
	const struct replay_config cfg = { .form = PERF_STACK_BY_SIDE, .rest = "explained" };
	int err, last;

	why_timeline__init(&w->tl, w->replay.machine->sym);
	why_switches__init(&w->switches, &w->tl, w->replay.machine);
	w->subscriber = (struct machine_subscriber){ .fn = on_event, .ctx = w };
	machine__subscribe(w->replay.machine, &w->subscriber);
	err = replay__read(&w->replay, &cfg, &ops, w);
	if (err == -ENOMEM || err == -E2BIG || err == -EINVAL)
		return err;
	out__begin(&w->out);
	last = explain(w);
	if (last) {
		log_error("out of memory");
		return last;
	}
	w->format->put(&w->res, &w->out.buf);
	last = out__commit(&w->out);
	return err__keep_first(err, last);
}

int why_replay(const struct why_options *opts)
{
	const struct sink_ops *ops = why_formats__choose(opts->format, opts->output);
	struct why_replay w = { .opts = opts };
	int status = EXIT_USAGE, err, last;

	if (!ops || replay__check_output(opts->input, opts->output))
		return EXIT_USAGE;
	w.format = why_formats__of(ops);
	status = EXIT_FAILED;
	stop_signals__catch();
	if (replay__init(&w.replay) || sink__open_out(ops, &w.out, opts->output) ||
	    replay__open(&w.replay, opts->input, NULL))
		goto cleanup;
	err = read_and_print(&w);
	last = out__close(&w.out);
	err = err__keep_first(err, last);
	if (!err || err == -EPIPE)
		status = opts->lost_exit && w.res.lost_cnt ? EXIT_LOST : EXIT_DONE;
cleanup:
	out__close(&w.out);
	why_result__free(&w.res);
	why_switches__free(&w.switches);
	why_timeline__free(&w.tl);
	replay__close(&w.replay);
	return status;
}

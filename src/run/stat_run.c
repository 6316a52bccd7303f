// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/stat_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/detach_lock.h"
#include "event/event.h"
#include "kernel/capabilities.h"
#include "perf/perf_counters.h"
#include "run/hook.h"
#include "run/recorder_control.h"
#include "sink/stat_printer.h"
#include "stat/expected.h"
#include "stat/metric_set.h"
#include "target/targets.h"
#include "util/array.h"
#include "util/err.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/stop_signals.h"

/* Milliseconds between checks of the targets. */
#define LOOK_MS 50
#define LOOK_AT_ALL_MS 1000
/* Nanoseconds between readings for bounds of metrics: a few turns of the kernel's usual 4 ms. */
#define RATES_NS 10000000ull
/* Counters that need not take turns are looked at less often; reading takes 2 % of the time. */
#define RATES_IDLE_NS 100000000ull
#define RATES_SHARE 50

static int init_table(struct stat_run *st)
{
	if (st->table.rows) {
		stat_table__restart(&st->table);
		return 0;
	}
	return stat_table__init(&st->table, st->cfg->events, st->cfg->cgroups,
				st->counting.counters, st->cfg->aggr, st->cfg->cache_level);
}

static int stat_run__explain(struct stat_run *st)
{
	const struct stat_how how = { .by_cpu = st->cfg->by_cpu,
				      .has_begun = st->clock.has_begun,
				      .may_fit =
					      st->argc && !st->cfg->interval_ms && !st->cfg->fit };

	int err = st->cfg->metrics ? metric_set__derive(st->cfg->metrics, &st->table) : 0;

	if (err)
		return err;
	return stat_diagnosis__fill(&st->why, &st->table, st->counting.counters,
				    st->counting.events, st->counting.event_cnt, &how);
}

/* A counter that cannot be read must not keep the others from the output. */
static void read_counters(struct stat_run *st)
{
	int err = perf_counters__read(st->counting.counters);

	if (err && !st->read_err)
		log_error("a counter cannot be read, and its row lacks the counts since then: %s",
			  strerror(-err));
	st->read_err = err__keep_first(err, st->read_err);
}

/* Ends an interval and prints its rows. */
static int stat_run__end_interval(struct stat_run *st, uint64_t now_ns)
{
	struct stat_times times = stat_clock__at(&st->clock, now_ns);
	int err;

	read_counters(st);
	stat_table__clear(&st->table);
	stat_table__take(&st->table, st->counting.counters, &times);
	st->table.wall_ns = (double)(now_ns - st->interval_ns);
	st->interval_ns = now_ns;
	stat_table__finish(&st->table, st->cfg->no_scale);
	err = stat_run__explain(st);
	if (!err)
		err = stat_printer__rows(st->printer, &st->table, &st->why,
					 (double)(now_ns - st->run_ns) / 1e9);
	stat_table__forget_rates(&st->table);
	return err;
}

/* Returns 1 at the last interval of --interval-count. */
static int stat_run__on_interval(void *ctx)
{
	struct stat_run *st = ctx;
	int err = stat_run__end_interval(st, mono_ns());

	return err ? err : ++st->interval_cnt == st->cfg->interval_cnt;
}

/* The -D delay is over. */
static int stat_run__on_delay(void *ctx)
{
	struct stat_run *st = ctx;
	int err = stat_counting__enable(&st->counting);

	st->clock.has_begun = true;
	stat_clock__begin(&st->clock);
	st->interval_ns = st->clock.start.wall_ns;
	/* Enabling many events may have taken seconds: the duration is counted from now on. */
	loop__restart_duration(&st->loop);
	return err;
}

/* With -I an interval ends at each command, as in perf, so that it is counted or not as a whole. */
static int stat_run__switch(struct stat_run *st, bool on)
{
	int err = 0;

	if (st->cfg->interval_ms && st->clock.has_begun)
		err = stat_run__end_interval(st, mono_ns());
	if (err)
		return err;
	st->is_off = !on;
	if (!on)
		return stat_counting__disable(&st->counting);
	return st->clock.has_begun ? stat_counting__enable(&st->counting) : stat_run__on_delay(st);
}

/* Carries out commands of --control, and answers each. */
static int stat_run__on_control(void *ctx)
{
	struct stat_run *st = ctx;
	struct recorder_control *c = st->cfg->control;
	enum recorder_command command;
	int err = 0;

	while (!err && (command = recorder_control__next(c)) != CONTROL_NONE) {
		if (command == CONTROL_UNKNOWN)
			continue;
		if (command == CONTROL_ENABLE || command == CONTROL_DISABLE)
			err = stat_run__switch(st, command == CONTROL_ENABLE);
		st->is_told_to_stop = command == CONTROL_STOP || command == CONTROL_END;
		if (!err && command != CONTROL_END)
			recorder_control__ack(c);
		if (st->is_told_to_stop)
			return err ? err : 1;
	}
	return err;
}

/* Notes the rates of counters that take turns. */
static int stat_run__on_rates(void *ctx)
{
	struct stat_run *st = ctx;
	uint64_t begin_ns = mono_ns(), next_ns;

	if (!st->clock.has_begun)
		return 0;
	read_counters(st);
	next_ns = stat_table__note_rates(&st->table, st->counting.counters) ? RATES_NS
									    : RATES_IDLE_NS;
	if (next_ns < (mono_ns() - begin_ns) * RATES_SHARE)
		next_ns = (mono_ns() - begin_ns) * RATES_SHARE;
	loop__restart_timer(&st->loop, stat_run__on_rates, next_ns);
	return 0;
}

static int stat_run__on_look(void *ctx)
{
	struct stat_run *st = ctx;

	if (st->clock.used.cnt)
		stat_clock__read(&st->clock);
	return 0;
}

static int stat_run__begin(void *ctx)
{
	struct stat_run *st = ctx;
	int err = 0;

	st->is_off = st->cfg->is_paused;
	st->clock.has_begun = !st->cfg->delay_ms && !st->is_off;
	/* Counters that wait for CMD's exec do not begin here; those of CPUs do. */
	if (st->clock.has_begun)
		err = stat_counting__enable(&st->counting);
	/* Enabling thousands of events takes seconds, which are not part of CMD's time. */
	stat_clock__begin(&st->clock);
	st->run_ns = st->interval_ns = st->clock.start.wall_ns;
	return err;
}

/* Adds the counts since the begin to those of earlier runs. */
static int stat_run__add(struct stat_run *st, uint64_t now_ns)
{
	struct stat_times times = stat_clock__at(&st->clock, now_ns);

	stat_counting__disable(&st->counting);
	read_counters(st);
	stat_mean__add(&st->elapsed_s, (double)times.wall_ns / 1e9);
	if (!array__reserve((void **)&st->runs_s, &st->runs_cap, st->runs_cnt + 1,
			    sizeof(*st->runs_s)))
		st->runs_s[st->runs_cnt++] = (double)times.wall_ns / 1e9;
	stat_mean__add(&st->user_s, (double)times.user_ns / 1e9);
	stat_mean__add(&st->system_s, (double)times.system_ns / 1e9);
	stat_table__take(&st->table, st->counting.counters, &times);
	st->table.wall_ns = st->elapsed_s.mean * 1e9;
	stat_table__finish(&st->table, st->cfg->no_scale);
	return stat_run__explain(st);
}

/* --summary: counts the intervals as one run. */
static int stat_run__sum_up(struct stat_run *st, uint64_t now_ns)
{
	if (!st->cfg->has_summary)
		return 0;
	stat_table__restart(&st->table);
	stat_table__clear(&st->table);
	stat_printer__begin_summary(st->printer);
	return stat_run__add(st, now_ns);
}

/* CMD has exited, or the run was stopped. */
static int stat_run__end(struct stat_run *st)
{
	uint64_t now_ns = mono_ns();

	if (st->workload.pid && workload__ended(&st->workload)) {
		st->cmd_has_exited = true;
		st->cmd_status = workload__exit_status(&st->workload);
	}
	return st->cfg->interval_ms ? stat_run__end_interval(st, now_ns)
				    : stat_run__add(st, now_ns);
}

/*
 * Returns the interval of checking the targets of -p and -t for exit; other tasks may be many and
 * are checked less often.
 */
static uint64_t look_ms(const struct stat_run *st)
{
	const struct targets *t = st->cfg->targets;

	return t->pid_cnt || t->tid_cnt ? LOOK_MS : st->clock.used.cnt ? LOOK_AT_ALL_MS : 0;
}

/*
 * A further run opens its counters, and starts CMD, as the first one did. Where CMD is root's, all
 * capabilities are kept: it would gain them by its exec, and the kernel removes the counters of a
 * task that gains privileges (begin_new_exec()).
 */
static unsigned int capability_needs(const struct stat_run *st)
{
	if (st->is_last)
		return CAPABILITY_READ_FILES;
	if (!st->cfg->cmd_user)
		return 0;
	return CAPABILITY_READ_FILES | CAPABILITY_COUNT_AGAIN | CAPABILITY_BECOME_USER;
}

static int stat_run__loop(struct stat_run *st)
{
	const struct stat_run_config *o = st->cfg;
	uint64_t look_ns = look_ms(st) * 1000000, interval_ns = o->interval_ms * 1000000;

	st->interval_cnt = 0;
	st->loop = (struct loop){
		.workload = &st->workload,
		.needs = capability_needs(st),
		.targets = o->targets,
		.delay_ns = o->delay_ms * 1000000,
		.duration_ns = o->duration_ns,
		.begin = stat_run__begin,
		.ctx = st,
	};
	loop__add_timer(&st->loop, st->loop.delay_ns, 0, stat_run__on_delay, st);
	loop__add_timer(&st->loop, look_ns, look_ns, stat_run__on_look, st);
	loop__add_timer(&st->loop, interval_ns, interval_ns, stat_run__on_interval, st);
	loop__add_timer(&st->loop, o->metrics ? RATES_NS : 0, RATES_NS, stat_run__on_rates, st);
	if (o->control)
		loop__add_fd(&st->loop, o->control->fd, stat_run__on_control, st);
	return loop__run(&st->loop);
}

static int stat_run__count(struct stat_run *st)
{
	int err = stat_run__loop(st);

	if (err < 0)
		return err;
	/* Without the targets of -p and -t there is no reason to run CMD again. */
	st->stopped =
		err == LOOP_SIGNAL || st->is_told_to_stop || targets__all_gone(st->cfg->targets);
	/* The last interval has been printed, and nothing came after it. */
	err = err == LOOP_ENOUGH && !st->is_told_to_stop ? 0 : stat_run__end(st);
	return err || !st->cfg->interval_ms ? err : stat_run__sum_up(st, mono_ns());
}

/*
 * Between two runs, opening and closing tracepoints here must not wait for detachments of other
 * commands.
 */
static void hold_detach_lock(const struct stat_run *st)
{
	if (st->counting.keepalive.cnt)
		detach_lock__hold();
}

static void stat_run__close(struct stat_run *st)
{
	struct counter_reads reads = { 0 };

	if (st->counting.counters)
		reads = perf_counters__reads(st->counting.counters);
	st->reads.user += reads.user;
	st->reads.by_read += reads.by_read;
	if (reads.why)
		st->reads.why = reads.why;
	hold_detach_lock(st);
	stat_counting__close(&st->counting);
	detach_lock__release();
	workload__free(&st->workload);
}

/* Runs and reads the events of run `fit` of fit_cnt once. 0, or -errno (logged). */
static int stat_run__once(struct stat_run *st, size_t fit)
{
	int err;

	st->workload = (struct workload)WORKLOAD_INIT;
	st->workload.user = st->cfg->cmd_user;
	err = hook__run("--pre", st->cfg->pre);
	if (!err && st->argc)
		err = workload__prepare(&st->workload, st->argv);
	hold_detach_lock(st);
	if (!err)
		err = stat_counting__open(&st->counting, fit, st->workload.pid,
					  st->elapsed_s.n > 0 || st->has_printed);
	if (!err)
		err = stat_clock__find(&st->clock, &st->counting);
	if (!err)
		err = init_table(st);
	if (!err)
		err = stat_run__count(st);
	stat_run__close(st);
	if (!err)
		err = hook__run("--post", st->cfg->post);
	/* A signal that came behind the run, or by --post, ends it before another one begins. */
	st->stopped |= stop_signals__pending();
	return err;
}

/* May the events have to take turns on a CPU's counters? One alone does not. */
static bool has_turns(const struct stat_counting *sc)
{
	size_t i, hw = 0;

	for (i = 0; i < sc->event_cnt; i++)
		hw += event__is_hw(sc->events[i]);
	return hw > 1;
}

int stat_run__open(struct stat_run *st, const struct stat_run_config *cfg, int argc, char **argv)
{
	int err;

	*st = (struct stat_run){ .cfg = cfg, .argc = argc, .argv = argv };
	st->clock.workload = &st->workload;
	err = stat_counting__prepare(&st->counting, cfg);
	if (!err && has_turns(&st->counting))
		stat_plan__learn();
	if (!err)
		err = stat_clock__check(cfg, st->counting.cgroup_fd);
	return err ? err : stat_counting__fit(&st->counting);
}

static void fill_summary(const struct stat_run *st, struct stat_summary *sum)
{
	double fit_cnt = (double)st->counting.fit_cnt;

	*sum = (struct stat_summary){
		.target_text = st->cfg->target_text,
		.done_cnt = (unsigned int)((st->elapsed_s.n + fit_cnt - 1) / fit_cnt),
		.elapsed_s = st->elapsed_s.mean,
		.elapsed_spread_s = stat_mean__spread(&st->elapsed_s),
		.runs_s = st->cfg->has_table && st->elapsed_s.n == (double)st->runs_cnt &&
					  st->counting.fit_cnt == 1
				  ? st->runs_s
				  : NULL,
		.has_usage = st->cfg->of_cmd && st->cmd_has_exited,
		.user_s = st->user_s.mean,
		.system_s = st->system_s.mean,
	};
}

/* Runs CMD run_cnt times, for each set of events of --fit. 0 or -errno. */
static int stat_run__all(struct stat_run *st)
{
	uint64_t i, runs = st->cfg->run_cnt * st->counting.fit_cnt;
	int err = 0;

	for (i = 0; i < runs && !err && !st->stopped; i++) {
		st->is_last = i + 1 == runs && !st->cfg->forever;
		err = stat_run__once(st, i % st->counting.fit_cnt);
	}
	return err;
}

static int stat_run__print(struct stat_run *st)
{
	int err;

	fill_summary(st, &st->printer->summary);
	err = stat_printer__end(st->printer, &st->table, &st->why);
	return err ? err : out__flush(&st->printer->out);
}

/* Prints what was counted, and begins anew. */
static int stat_run__print_one(struct stat_run *st)
{
	const struct stat_mean none = { 0 };
	int err = stat_run__print(st);

	st->has_printed = true;
	st->elapsed_s = st->user_s = st->system_s = none;
	st->runs_cnt = 0;
	stat_table__clear(&st->table);
	stat_table__forget_rates(&st->table);
	return err;
}

int stat_run__go(struct stat_run *st, struct stat_printer *printer)
{
	int err;

	st->printer = printer;
	if (st->cfg->run_cnt * st->counting.fit_cnt > 1 || st->cfg->forever)
		stat_counting__keep_alive(&st->counting);
	stat_printer__begin(printer);
	stop_signals__block();
	err = stat_run__all(st);
	while (!err && st->cfg->forever && !st->stopped) {
		err = stat_run__print_one(st);
		if (!err)
			err = stat_run__all(st);
	}
	stop_signals__unblock();
	/* The targets have exited between two runs. */
	if (err == -ESRCH && (st->elapsed_s.n || st->has_printed))
		err = 0;
	if (!err && (st->elapsed_s.n || !st->has_printed))
		err = stat_run__print(st);
	return err__keep_first(err, st->read_err);
}

void stat_run__free(struct stat_run *st)
{
	stat_counting__free(&st->counting);
	used_times__free(&st->clock.used);
	stat_diagnosis__free(&st->why);
	stat_table__free(&st->table);
	free(st->runs_s);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/stat_run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/stat_cmd.h"
#include "run/loop.h"
#include "cmd/stat_open.h"
#include "cmd/stat_opts.h"
#include "cmd/stat_print.h"
#include "cmd/stat_times.h"
#include "event/detach_lock.h"
#include "perf/perf_counters.h"
#include "target/targets.h"
#include "stat/used_times.h"
#include "util/log.h"
#include "util/mono.h"

/* In milliseconds. */
#define LOOK_MS 50
#define LOOK_AT_ALL_MS 1000

static int init_table(struct stat_cmd *st)
{
	if (st->table.rows) {
		stat_table__restart(&st->table);
		return 0;
	}
	return stat_table__init(&st->table, &st->opts->events, st->counters,
				stat_opts__apart(st->opts));
}

static int explain(struct stat_cmd *st)
{
	const struct stat_how how = { .by_cpu = stat_opts__by_cpu(st->opts, st->argc > 0),
				      .has_begun = st->has_begun,
				      .may_fit = st->argc && !st->opts->interval_ms &&
						 !st->opts->fit };

	return stat_diagnosis__fill(&st->why, &st->table, st->counters, st->events, st->event_cnt,
				    &how);
}

/* What one counter refuses to tell is no reason to keep back the others' counts. */
static void read_counters(struct stat_cmd *st)
{
	int err = perf_counters__read(st->counters);

	if (err && !st->read_err)
		log_error("a counter cannot be read, and its row lacks the counts since then: %s",
			  strerror(-err));
	st->read_err = err ? err : st->read_err;
}

/* Ends an interval: its rows, printed. */
static int stat_run__end_interval(struct stat_cmd *st, uint64_t now_ns)
{
	struct stat_times times = stat_times__at(st, now_ns);
	int err;

	read_counters(st);
	stat_table__clear(&st->table);
	stat_table__take(&st->table, st->counters, &times);
	st->table.wall_ns = (double)(now_ns - st->interval_ns);
	st->interval_ns = now_ns;
	stat_table__finish(&st->table, st->opts->no_scale);
	err = explain(st);
	return err ? err : stat_print__rows(st, (double)(now_ns - st->run_ns) / 1e9);
}

/* 1: it was the last of --interval-count. */
static int stat_run__on_interval(void *ctx)
{
	struct stat_cmd *st = ctx;
	int err = stat_run__end_interval(st, mono_ns());

	return err ? err : ++st->interval_cnt == st->opts->interval_cnt;
}

/* -D is over. */
static int stat_run__on_delay(void *ctx)
{
	struct stat_cmd *st = ctx;
	int err = perf_counters__enable(st->counters);

	st->has_begun = true;
	stat_times__begin(st);
	st->interval_ns = st->start_times.wall_ns;
	/* Of many events that may have taken seconds: the duration is counted from now on. */
	loop__restart_duration(&st->loop);
	return err;
}

static int stat_run__on_look(void *ctx)
{
	struct stat_cmd *st = ctx;

	if (st->used.cnt)
		stat_times__look(st);
	return 0;
}

static int stat_run__begin(struct stat_cmd *st)
{
	int err = 0;

	detach_lock__release();
	st->has_begun = !st->opts->delay_ms;
	/* Of what waits for CMD's exec, only counters of CPUs begin here. */
	if (!st->opts->delay_ms)
		err = perf_counters__enable(st->counters);
	/* Of thousands of events that takes seconds, which are none of CMD's. */
	stat_times__begin(st);
	st->run_ns = st->interval_ns = st->start_times.wall_ns;
	if (!err && st->argc)
		err = workload__start(&st->workload);
	return err;
}

/* CMD has ended, or it is to be stopped: one more run is taken into account. */
static int stat_run__end(struct stat_cmd *st)
{
	uint64_t now_ns = mono_ns();
	struct stat_times times;

	if (st->workload.pid && workload__ended(&st->workload)) {
		st->ended_by_itself = true;
		st->cmd_status = workload__exit_status(&st->workload);
	}
	if (st->opts->interval_ms)
		return stat_run__end_interval(st, now_ns);
	perf_counters__disable(st->counters);
	read_counters(st);
	times = stat_times__at(st, now_ns);
	stat_mean__add(&st->elapsed_s, (double)times.wall_ns / 1e9);
	stat_mean__add(&st->user_s, (double)times.user_ns / 1e9);
	stat_mean__add(&st->system_s, (double)times.system_ns / 1e9);
	stat_table__take(&st->table, st->counters, &times);
	st->table.wall_ns = st->elapsed_s.mean * 1e9;
	stat_table__finish(&st->table, st->opts->no_scale);
	return explain(st);
}

/* How often the loop looks at targets of -p and -t, which may have exited; and at other tasks, which may be many. */
static uint64_t look_ms(const struct stat_cmd *st)
{
	const struct targets *t = &st->opts->common.targets;

	return t->pid_cnt || t->tid_cnt ? LOOK_MS : st->used.cnt ? LOOK_AT_ALL_MS : 0;
}

static int stat_run__loop(struct stat_cmd *st)
{
	const struct stat_opts *o = st->opts;
	uint64_t look_ns = look_ms(st) * 1000000, interval_ns = o->interval_ms * 1000000;

	st->interval_cnt = 0;
	st->loop = (struct loop){
		.workload = &st->workload,
		.targets = &o->common.targets,
		.delay_ns = o->delay_ms * 1000000,
		.duration_ns = o->common.duration_ns,
	};
	loop__add_timer(&st->loop, st->loop.delay_ns, 0, stat_run__on_delay, st);
	loop__add_timer(&st->loop, look_ns, look_ns, stat_run__on_look, st);
	loop__add_timer(&st->loop, interval_ns, interval_ns, stat_run__on_interval, st);
	return loop__run(&st->loop);
}

static int stat_run__run(struct stat_cmd *st)
{
	int err;

	err = stat_run__begin(st);
	if (err)
		return err;
	err = stat_run__loop(st);
	if (err < 0)
		return err;
	/* Without the targets of -p and -t there is nothing to run CMD for again. */
	st->stopped = err == LOOP_SIGNAL || targets__all_gone(&st->opts->common.targets);
	/* The last interval is printed, and nothing came after it. */
	return err == LOOP_ENOUGH ? 0 : stat_run__end(st);
}

/* Between two runs: opening tracepoints, and closing them here, is to wait for nobody who lets go of others. */
static void hold_gate(const struct stat_cmd *st)
{
	if (st->keepalive.cnt)
		detach_lock__hold();
}

static void end_run(struct stat_cmd *st)
{
	struct counter_reads reads = { 0 };

	if (st->counters)
		reads = perf_counters__reads(st->counters);
	st->reads.user += reads.user;
	st->reads.by_read += reads.by_read;
	if (reads.why)
		st->reads.why = reads.why;
	hold_gate(st);
	perf_counters__free(st->counters);
	detach_lock__release();
	st->counters = NULL;
	workload__free(&st->workload);
}

int stat_run__once(struct stat_cmd *st, size_t fit)
{
	size_t i;
	int err;

	for (i = 0; i < st->event_cnt; i++)
		st->skip[i] = st->fit_run[i] != fit;
	st->workload = (struct workload)WORKLOAD_INIT;
	err = st->argc ? workload__prepare(&st->workload, st->argv) : 0;
	hold_gate(st);
	if (!err)
		err = stat_open__counters(st);
	if (!err)
		err = stat_times__find(st);
	if (!err)
		err = init_table(st);
	if (!err)
		err = stat_run__run(st);
	end_run(st);
	return err;
}

void stat_run__free(struct stat_cmd *st)
{
	if (st->cgroup_fd > 0)
		close(st->cgroup_fd);
	tp_keepalive__free(&st->keepalive);
	threads__free(&st->threads);
	used_times__free(&st->used);
	stat_diagnosis__free(&st->why);
	stat_table__free(&st->table);
	free(st->events);
	free(st->skip);
	free(st->fit_run);
}

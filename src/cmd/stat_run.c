// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/stat_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/stat_fit.h"
#include "cmd/stat_loop.h"
#include "cmd/stat_opts.h"
#include "session/cgroup.h"
#include "session/counters.h"
#include "session/cpu_times.h"
#include "session/targets.h"
#include "util/fs.h"
#include "util/log.h"
#include "util/mono.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

static uint64_t timeval_ns(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * 1000000000ull + (uint64_t)tv->tv_usec * 1000;
}

/* Processor time so far of whom is counted; what cannot be known stays 0. */
static void sum_times(const struct stat_cmd *st, uint64_t *user_ns, uint64_t *system_ns)
{
	const struct targets *t = &st->opts->common.targets;
	bool of_cmd = stat_opts__of_cmd(st->opts, st->argc > 0);
	struct cpu_times machine;
	uint64_t user, sys;
	size_t i;

	*user_ns = *system_ns = 0;
	if (of_cmd && st->workload.reaped) {
		*user_ns = timeval_ns(&st->workload.usage.ru_utime);
		*system_ns = timeval_ns(&st->workload.usage.ru_stime);
		return;
	}
	if (of_cmd) {
		threads__process_times(st->workload.pid, user_ns, system_ns);
		return;
	}
	if (!st->threads.cnt) {
		if (cpu_times__read(&machine, NULL, 0))
			return;
		*user_ns = machine.user_ns;
		*system_ns = machine.system_ns;
		return;
	}
	for (i = 0; i < t->pid_cnt; i++) {
		if (threads__process_times(t->pids[i], &user, &sys))
			continue;
		*user_ns += user;
		*system_ns += sys;
	}
	for (i = 0; i < st->threads.cnt && !t->pid_cnt; i++) {
		if (threads__thread_times(st->threads.tids[i], &user, &sys))
			continue;
		*user_ns += user;
		*system_ns += sys;
	}
}

/* Since the start. */
static struct stat_times times_now(const struct stat_cmd *st, uint64_t now_ns)
{
	struct stat_times now = { .wall_ns = now_ns - st->start_ns };

	sum_times(st, &now.user_ns, &now.system_ns);
	now.user_ns -= st->start_times.user_ns;
	now.system_ns -= st->start_times.system_ns;
	return now;
}

static int pick_events(struct stat_cmd *st)
{
	const struct event_list *list = &st->opts->events;
	size_t i;

	st->events = calloc(list->cnt ? list->cnt : 1, sizeof(*st->events));
	st->skip = calloc(list->cnt ? list->cnt : 1, sizeof(*st->skip));
	st->fit_run = calloc(list->cnt ? list->cnt : 1, sizeof(*st->fit_run));
	if (!st->events || !st->skip || !st->fit_run)
		return -ENOMEM;
	for (i = 0; i < list->cnt; i++)
		if (list->events[i]->kind != EVENT_TOOL)
			st->events[st->event_cnt++] = list->events[i];
	return 0;
}

static int find_threads(struct stat_cmd *st)
{
	const struct stat_opts *o = st->opts;
	int err;

	st->threads.cnt = 0;
	if (stat_opts__of_cmd(o, st->argc > 0))
		return threads__add(&st->threads, st->workload.pid);
	if (stat_opts__by_cpu(o, st->argc > 0))
		return 0;
	if (o->common.targets.pid_cnt || o->common.targets.tid_cnt)
		return threads__add_targets(&st->threads, &o->common.targets);
	err = threads__add_all(&st->threads, o->has_uid ? &o->uid : NULL);
	if (!err && !st->threads.cnt) {
		log_error("-u %u: this user has no processes", o->uid);
		return -ESRCH;
	}
	return err;
}

int stat_run__prepare(struct stat_cmd *st)
{
	bool by_cpu = stat_opts__by_cpu(st->opts, st->argc > 0);
	int *cpus = NULL, err;
	size_t cnt;

	st->fit_cnt = 1;
	err = pick_events(st);
	if (!err)
		err = st->opts->cgroup ? cgroup__open_dir(st->opts->cgroup) : 0;
	if (err > 0) {
		st->cgroup_fd = err;
		err = 0;
	}
	if (err || !st->opts->fit)
		return err;
	err = targets__resolve_cpus(&st->opts->common.targets, &cpus, &cnt);
	if (!err)
		err = stat_fit__find(st->events, st->event_cnt, by_cpu ? cpus[0] : -1, st->fit_run,
				     &st->fit_cnt);
	free(cpus);
	if (err)
		log_error("the events cannot be spread over runs: %s; leave --fit, or give fewer",
			  strerror(-err));
	else
		log_note("--fit: %zu events in %zu %s of the command", st->event_cnt, st->fit_cnt,
			 st->fit_cnt == 1 ? "run" : "runs");
	return err;
}

static int open_counters(struct stat_cmd *st)
{
	const struct stat_opts *o = st->opts;
	const struct targets *t = &o->common.targets;
	bool by_cpu = stat_opts__by_cpu(o, st->argc > 0);
	bool of_cmd = stat_opts__of_cmd(o, st->argc > 0);
	struct counters_config cfg = {
		.events = st->events,
		.event_cnt = st->event_cnt,
		.cgroup_fd = st->cgroup_fd,
		.skip = st->fit_cnt > 1 ? st->skip : NULL,
		.user_read = o->user_read,
		/* -t is these threads, whatever they start. */
		.inherit = !by_cpu && !o->no_inherit && !t->tid_cnt,
		.start = of_cmd && !o->delay_ms ? COUNTERS_ON_EXEC : COUNTERS_STOPPED,
	};
	int *cpus = NULL, err;

	err = find_threads(st);
	if (err)
		return err;
	cfg.tids = st->threads.tids;
	cfg.tid_cnt = st->threads.cnt;
	if (by_cpu || t->cpus)
		err = targets__resolve_cpus(t, &cpus, &cfg.cpu_cnt);
	if (err)
		return err;
	cfg.cpus = cpus;
	st->counters = counters__open(&cfg);
	err = st->counters ? 0 : -errno;
	free(cpus);
	return err;
}

/* Is it the cgroup that is refused? */
static int check_cgroup(const struct stat_cmd *st, const struct event *ev, int err)
{
	if (err == -EBADF)
		log_error("-G %s: this is no cgroup that perf can count; give one of v2, or of the "
			  "controller perf_event",
			  st->opts->cgroup);
	else if (err == -ENOENT && (ev->kind == EVENT_SOFTWARE || ev->kind == EVENT_TRACEPOINT))
		/* Implicit in v2, but only from the first change of the root's controllers on. */
		log_error("-G %s: perf's controller is not active there; write +pids to "
			  "/sys/fs/cgroup/cgroup.subtree_control, or have systemd do it",
			  st->opts->cgroup);
	else
		return 0;
	return err;
}

/* What nobody here may count is not told by a column. */
static int check_rights(const struct stat_cmd *st)
{
	long paranoid = 0;
	size_t i;
	int err;

	for (i = 0; i < st->event_cnt; i++) {
		struct counter_refusal r = counters__refusal(st->counters, i);

		err = r.state == COUNTER_REFUSED && st->cgroup_fd > 0
			      ? check_cgroup(st, st->events[i], r.err)
			      : 0;
		if (err)
			return err;
		if (r.state != COUNTER_REFUSED || r.err != -EACCES)
			continue;
		fs__read_long(PARANOID, &paranoid);
		/* Up to 2 everybody may count what is his own. */
		if (!stat_opts__by_cpu(st->opts, st->argc > 0) && paranoid <= 2)
			log_error("%s: only root, or who has CAP_PERFMON, may count another "
				  "user's processes, or one that runs with more rights than you",
				  st->events[i]->name);
		else
			log_error("%s may not be counted by you; run as root, or with CAP_PERFMON, "
				  "or with sysctl kernel.perf_event_paranoid=-1 (it is %ld)",
				  st->events[i]->name, paranoid);
		return -EACCES;
	}
	return 0;
}

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
				      .has_begun = st->has_begun };

	return stat_why__fill(&st->why, &st->table, st->counters, st->events, st->event_cnt, &how);
}

/* Ends an interval: its rows, printed. */
static int end_interval(struct stat_cmd *st, uint64_t now_ns)
{
	struct stat_times times = times_now(st, now_ns);
	int err = counters__read(st->counters);

	if (err) {
		log_error("counters cannot be read: %s", strerror(-err));
		return err;
	}
	stat_table__clear(&st->table);
	stat_table__take(&st->table, st->counters, &times);
	st->table.wall_ns = (double)(now_ns - st->interval_ns);
	st->interval_ns = now_ns;
	stat_table__finish(&st->table, st->opts->no_scale);
	err = explain(st);
	return err ? err : stat__print(st, (double)times.wall_ns / 1e9);
}

static int on_interval(void *ctx)
{
	return end_interval(ctx, mono_ns());
}

static int on_begin(void *ctx)
{
	struct stat_cmd *st = ctx;

	st->has_begun = true;
	return counters__enable(st->counters);
}

static int begin(struct stat_cmd *st)
{
	int err = 0;

	st->has_begun = !st->opts->delay_ms;
	/* Of what waits for CMD's exec, only counters of CPUs begin here. */
	if (!st->opts->delay_ms)
		err = counters__enable(st->counters);
	/* Of thousands of events that takes seconds, which are none of CMD's. */
	sum_times(st, &st->start_times.user_ns, &st->start_times.system_ns);
	st->start_ns = st->interval_ns = mono_ns();
	if (!err && st->argc)
		err = workload__start(&st->workload);
	return err;
}

/* CMD has ended, or it is to be stopped: one more run is taken into account. */
static int end(struct stat_cmd *st)
{
	uint64_t now_ns = mono_ns();
	struct stat_times times;
	int err;

	if (st->workload.pid && workload__ended(&st->workload)) {
		st->ended_by_itself = true;
		st->cmd_status = workload__exit_status(&st->workload);
	}
	if (st->opts->interval_ms)
		return end_interval(st, now_ns);
	counters__disable(st->counters);
	err = counters__read(st->counters);
	if (err) {
		log_error("counters cannot be read: %s", strerror(-err));
		return err;
	}
	times = times_now(st, now_ns);
	stat_mean__add(&st->elapsed_s, (double)times.wall_ns / 1e9);
	stat_mean__add(&st->user_s, (double)times.user_ns / 1e9);
	stat_mean__add(&st->system_s, (double)times.system_ns / 1e9);
	stat_table__take(&st->table, st->counters, &times);
	st->table.wall_ns = st->elapsed_s.mean * 1e9;
	stat_table__finish(&st->table, st->opts->no_scale);
	return explain(st);
}

static int run(struct stat_cmd *st)
{
	const struct stat_opts *o = st->opts;
	struct stat_loop loop = {
		.targets = &o->common.targets,
		.workload = &st->workload,
		.interval_ms = o->interval_ms,
		.interval_cnt = o->interval_cnt,
		.delay_ms = o->delay_ms,
		.duration_ns = o->common.duration_ns,
		.fn_interval = on_interval,
		.fn_begin = on_begin,
		.ctx = st,
	};
	int err;

	err = begin(st);
	if (err)
		return err;
	err = stat_loop__run(&loop);
	if (err < 0)
		return err;
	st->stopped = err == STAT_STOPPED;
	/* The last interval is printed, and nothing came after it. */
	return err == STAT_ENOUGH ? 0 : end(st);
}

static void end_run(struct stat_cmd *st)
{
	struct counter_reads reads = { 0 };

	if (st->counters)
		reads = counters__reads(st->counters);
	st->reads.user += reads.user;
	st->reads.by_read += reads.by_read;
	if (reads.why)
		st->reads.why = reads.why;
	counters__free(st->counters);
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
	if (!err)
		err = open_counters(st);
	if (!err)
		err = check_rights(st);
	if (!err)
		err = init_table(st);
	if (!err)
		err = run(st);
	end_run(st);
	return err;
}

void stat_run__free(struct stat_cmd *st)
{
	if (st->cgroup_fd > 0)
		close(st->cgroup_fd);
	threads__free(&st->threads);
	stat_why__free(&st->why);
	stat_table__free(&st->table);
	free(st->events);
	free(st->skip);
	free(st->fit_run);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/stat_open.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/stat_cmd.h"
#include "stat/fit.h"
#include "cmd/stat_opts.h"
#include "cmd/stat_times.h"
#include "target/cgroup.h"
#include "perf/perf_counters.h"
#include "target/targets.h"
#include "util/fs.h"
#include "util/log.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

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

int stat_open__prepare(struct stat_cmd *st)
{
	bool by_cpu = stat_opts__by_cpu(st->opts, st->argc > 0);
	int *cpus = NULL, err;
	size_t cnt;

	st->fit_cnt = 1;
	err = pick_events(st);
	if (!err)
		err = st->opts->common.targets.cgroup
			      ? cgroup__open_dir(st->opts->common.targets.cgroup)
			      : 0;
	if (err > 0) {
		st->cgroup_fd = err;
		err = stat_times__check(st);
	}
	if (err || !st->opts->fit)
		return err;
	err = targets__resolve_cpus(&st->opts->common.targets, &cpus, &cnt);
	if (!err)
		err = stat_fit__find(st->events, st->event_cnt, by_cpu ? cpus[0] : -1, st->fit_run,
				     &st->fit_cnt);
	free(cpus);
	if (err)
		log_error("the events cannot be spread over runs: %s; omit --fit, or give fewer "
			  "events",
			  strerror(-err));
	else
		log_note("--fit: %zu events in %zu %s of the command", st->event_cnt, st->fit_cnt,
			 st->fit_cnt == 1 ? "run" : "runs");
	return err;
}

static int find_threads(struct stat_cmd *st)
{
	const struct stat_opts *o = st->opts;

	st->threads.cnt = 0;
	if (stat_opts__of_cmd(o, st->argc > 0))
		return threads__add(&st->threads, st->workload.pid);
	if (stat_opts__by_cpu(o, st->argc > 0))
		return 0;
	if (o->common.targets.pid_cnt || o->common.targets.tid_cnt)
		return threads__add_targets(&st->threads, &o->common.targets);
	return threads__add_all(&st->threads,
				o->common.targets.has_uid ? &o->common.targets.uid : NULL,
				o->common.targets.include_self ? 0 : getpid());
}

/* Is there anybody whose counters can be opened? */
static int check_threads(const struct stat_cmd *st)
{
	const struct stat_opts *o = st->opts;

	if (st->threads.cnt || stat_opts__by_cpu(o, st->argc > 0))
		return 0;
	/* In a later run there is: no more of them. */
	if (st->elapsed_s.n)
		return -ESRCH;
	if (o->common.targets.has_uid)
		log_error("-u %u: this user has no processes", o->common.targets.uid);
	else
		log_error("there is no task to count: all targets of -p and -t have exited");
	return -ESRCH;
}

/* Is it the cgroup that is refused? */
static int check_cgroup(const struct stat_cmd *st, const struct event *ev, int err)
{
	if (err == -EBADF)
		log_error("-G %s: perf cannot count this cgroup; give a cgroup of v2, or of the "
			  "controller perf_event",
			  st->opts->common.targets.cgroup);
	else if (err == -ENOENT && (ev->kind == EVENT_SOFTWARE || ev->kind == EVENT_TRACEPOINT))
		/* Implicit in v2, but only from the first change of the root's controllers on. */
		log_error("-G %s: perf's controller is not active there; write +pids to "
			  "/sys/fs/cgroup/cgroup.subtree_control, or have systemd do it",
			  st->opts->common.targets.cgroup);
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
		struct counter_refusal r = perf_counters__refusal(st->counters, i);

		err = r.state == COUNTER_REFUSED && st->cgroup_fd > 0
			      ? check_cgroup(st, st->events[i], r.err)
			      : 0;
		if (err)
			return err;
		if (r.state != COUNTER_REFUSED || r.err != -EACCES)
			continue;
		fs__read_long(PARANOID, &paranoid);
		if (st->events[i]->exclude_user && !st->events[i]->exclude_kernel) {
			log_error("%s counts in the kernel only, which you may not observe; run as "
				  "root, or with CAP_PERFMON, or with sysctl "
				  "kernel.perf_event_paranoid=1 (it is %ld)",
				  st->events[i]->name, paranoid);
			return -EACCES;
		}
		/* Up to 2 everybody may count what is his own. */
		if (!stat_opts__by_cpu(st->opts, st->argc > 0) && paranoid <= 2)
			log_error("%s: to count a process of another user, or with more privileges "
				  "than yours, run as root, or with CAP_PERFMON",
				  st->events[i]->name);
		else
			log_error("you may not count %s; run as root, or with CAP_PERFMON, or with "
				  "sysctl kernel.perf_event_paranoid=-1 (it is %ld)",
				  st->events[i]->name, paranoid);
		return -EACCES;
	}
	return 0;
}

int stat_open__counters(struct stat_cmd *st)
{
	const struct stat_opts *o = st->opts;
	const struct targets *t = &o->common.targets;
	bool by_cpu = stat_opts__by_cpu(o, st->argc > 0);
	bool of_cmd = stat_opts__of_cmd(o, st->argc > 0);
	struct perf_counters_config cfg = {
		.events = st->events,
		.event_cnt = st->event_cnt,
		.cgroup_fd = st->cgroup_fd,
		.skip = st->fit_cnt > 1 ? st->skip : NULL,
		.user_read = o->user_read,
		.inherit = !by_cpu && !o->no_inherit,
		.kept_alive = st->is_kept_alive,
		.start = of_cmd && !o->delay_ms ? COUNTERS_ON_EXEC : COUNTERS_STOPPED,
	};
	int *cpus = NULL, err;

	err = find_threads(st);
	if (!err)
		err = check_threads(st);
	if (err)
		return err;
	cfg.tids = st->threads.tids;
	cfg.tid_cnt = st->threads.cnt;
	cfg.noinherit_cnt = st->threads.noinherit_cnt;
	if (by_cpu || t->cpus)
		err = targets__resolve_cpus(t, &cpus, &cfg.cpu_cnt);
	if (err)
		return err;
	cfg.cpus = cpus;
	st->counters = perf_counters__open(&cfg);
	err = st->counters ? 0 : -errno;
	free(cpus);
	return err ? err : check_rights(st);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/stat_times.h"

#include <errno.h>
#include <string.h>

#include "cmd/stat_cmd.h"
#include "cmd/stat_opts.h"
#include "event/event.h"
#include "target/cgroup.h"
#include "target/targets.h"
#include "target/threads.h"
#include "stat/used_times.h"
#include "run/workload.h"
#include "util/log.h"
#include "util/mono.h"

/* Is processor time among the events? */
static bool are_asked(const struct stat_opts *o)
{
	size_t i;

	for (i = 0; i < o->events.cnt; i++)
		if (o->events.events[i]->kind == EVENT_TOOL &&
		    o->events.events[i]->config != EVENT_TOOL_DURATION)
			return true;
	return false;
}

static bool has_pid(const struct targets *t, pid_t pid)
{
	size_t i;

	for (i = 0; i < t->pid_cnt; i++)
		if (t->pids[i] == pid)
			return true;
	return false;
}

/* Processes as a whole: also what they start is counted. */
static int add_targets(struct used_times *used, const struct targets *t)
{
	size_t i;
	int err = 0;

	for (i = 0; i < t->pid_cnt && !err; i++)
		err = used_times__add(used, USED_BY_PROCESS, t->pids[i]);
	for (i = 0; i < t->tid_cnt && !err; i++)
		if (!has_pid(t, threads__process_of(t->tids[i])))
			err = used_times__add(used, USED_BY_THREAD, t->tids[i]);
	return err;
}

static int add_threads(struct used_times *used, const struct threads *threads)
{
	size_t i;
	int err = 0;

	for (i = 0; i < threads->cnt && !err; i++)
		err = used_times__add(used, USED_BY_THREAD, threads->tids[i]);
	return err;
}

static int add_cpus(struct used_times *used, const struct targets *t)
{
	size_t i;
	int err = 0;

	if (!t->cpus)
		return used_times__add(used, USED_BY_MACHINE, 0);
	for (i = 0; i < t->cpu_cnt && !err; i++)
		err = used_times__add(used, USED_BY_CPU, t->cpus[i]);
	return err;
}

int stat_times__check(const struct stat_cmd *st)
{
	uint64_t user_ns, system_ns;

	if (!st->opts->common.targets.cgroup || !are_asked(st->opts) ||
	    !cgroup__times(st->cgroup_fd, &user_ns, &system_ns))
		return 0;
	log_error("-G %s: user_time and system_time need a cgroup of v2, which has a cpu.stat; "
		  "give such a cgroup, or omit these events",
		  st->opts->common.targets.cgroup);
	return -EINVAL;
}

int stat_times__find(struct stat_cmd *st)
{
	const struct stat_opts *o = st->opts;
	const struct targets *t = &o->common.targets;
	bool has_cmd = st->argc > 0;

	used_times__free(&st->used);
	/* Of CMD they are shown in any case, and wait(2) tells them. */
	if (!are_asked(o) || stat_opts__of_cmd(o, has_cmd))
		return 0;
	if (o->common.targets.cgroup)
		return used_times__add(&st->used, USED_BY_CGROUP, st->cgroup_fd);
	if (stat_opts__by_cpu(o, has_cmd))
		return add_cpus(&st->used, t);
	return t->pid_cnt || t->tid_cnt ? add_targets(&st->used, t)
					: add_threads(&st->used, &st->threads);
}

static uint64_t timeval_ns(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * 1000000000ull + (uint64_t)tv->tv_usec * 1000;
}

/* So far; what cannot be known stays 0. */
static void sum(const struct stat_cmd *st, uint64_t *user_ns, uint64_t *system_ns)
{
	const struct workload *w = &st->workload;

	*user_ns = *system_ns = 0;
	if (!stat_opts__of_cmd(st->opts, st->argc > 0)) {
		used_times__sum(&st->used, user_ns, system_ns);
	} else if (w->reaped) {
		*user_ns = timeval_ns(&w->usage.ru_utime);
		*system_ns = timeval_ns(&w->usage.ru_stime);
	} else {
		threads__process_times(w->pid, user_ns, system_ns);
	}
}

void stat_times__look(struct stat_cmd *st)
{
	used_times__look(&st->used);
}

void stat_times__begin(struct stat_cmd *st)
{
	stat_times__look(st);
	sum(st, &st->start_times.user_ns, &st->start_times.system_ns);
	st->start_times.wall_ns = mono_ns();
}

struct stat_times stat_times__at(struct stat_cmd *st, uint64_t now_ns)
{
	struct stat_times now = { 0 };

	if (!st->has_begun)
		return now;
	stat_times__look(st);
	sum(st, &now.user_ns, &now.system_ns);
	now.wall_ns = now_ns - st->start_times.wall_ns;
	now.user_ns -= st->start_times.user_ns;
	now.system_ns -= st->start_times.system_ns;
	return now;
}

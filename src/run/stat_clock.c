// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/stat_clock.h"

#include <errno.h>
#include <string.h>

#include "run/stat_counting.h"
#include "run/stat_run.h"
#include "event/event.h"
#include "target/cgroup.h"
#include "target/targets.h"
#include "target/threads.h"
#include "stat/used_times.h"
#include "run/workload.h"
#include "util/log.h"
#include "util/mono.h"

static bool is_processor_time(const struct event *ev)
{
	return ev->kind == EVENT_TOOL && ev->config != EVENT_TOOL_DURATION;
}

static bool are_asked(const struct event_list *events)
{
	return event_list__any(events, is_processor_time);
}

static bool has_pid(const struct targets *t, pid_t pid)
{
	size_t i;

	for (i = 0; i < t->pid_cnt; i++)
		if (t->pids[i] == pid)
			return true;
	return false;
}

/* Adds whole processes: their children are counted as well. */
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

int stat_clock__check(const struct stat_run_config *cfg, int cgroup_fd)
{
	uint64_t user_ns, system_ns;

	if (cfg->cgroups && are_asked(cfg->events)) {
		log_error("user_time and system_time are of one cgroup; give -G with one path, or "
			  "omit these events");
		return -EINVAL;
	}
	if (!cfg->targets->cgroup || !are_asked(cfg->events) ||
	    !cgroup__times(cgroup_fd, &user_ns, &system_ns))
		return 0;
	log_error("-G %s: user_time and system_time need a cgroup of v2, which has a cpu.stat; "
		  "give such a cgroup, or omit these events",
		  cfg->targets->cgroup);
	return -EINVAL;
}

int stat_clock__find(struct stat_clock *c, const struct stat_counting *sc)
{
	const struct stat_run_config *cfg = sc->cfg;
	const struct targets *t = cfg->targets;

	c->of_cmd = cfg->of_cmd;
	used_times__free(&c->used);
	/* CMD's times are printed in any case, and wait(2) returns them. */
	if (!are_asked(cfg->events) || cfg->of_cmd)
		return 0;
	if (t->cgroup)
		return used_times__add(&c->used, USED_BY_CGROUP, sc->cgroup_fd);
	if (cfg->by_cpu)
		return add_cpus(&c->used, t);
	return t->pid_cnt || t->tid_cnt ? add_targets(&c->used, t)
					: add_threads(&c->used, &sc->threads);
}

static uint64_t timeval_ns(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * 1000000000ull + (uint64_t)tv->tv_usec * 1000;
}

/* Sums up the times so far; unknown times stay 0. */
static void stat_clock__sum(const struct stat_clock *c, uint64_t *user_ns, uint64_t *system_ns)
{
	const struct workload *w = c->workload;

	*user_ns = *system_ns = 0;
	if (!c->of_cmd) {
		used_times__sum(&c->used, user_ns, system_ns);
	} else if (w->reaped) {
		*user_ns = timeval_ns(&w->usage.ru_utime);
		*system_ns = timeval_ns(&w->usage.ru_stime);
	} else {
		threads__process_times(w->pid, user_ns, system_ns);
	}
}

void stat_clock__read(struct stat_clock *c)
{
	used_times__read(&c->used);
}

void stat_clock__begin(struct stat_clock *c)
{
	stat_clock__read(c);
	stat_clock__sum(c, &c->start.user_ns, &c->start.system_ns);
	c->start.wall_ns = mono_ns();
}

struct stat_times stat_clock__at(struct stat_clock *c, uint64_t now_ns)
{
	struct stat_times now = { 0 };

	if (!c->has_begun)
		return now;
	stat_clock__read(c);
	stat_clock__sum(c, &now.user_ns, &now.system_ns);
	now.wall_ns = now_ns - c->start.wall_ns;
	now.user_ns -= c->start.user_ns;
	now.system_ns -= c->start.system_ns;
	return now;
}

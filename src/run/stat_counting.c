// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/stat_counting.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/event_options.h"
#include "host/sysctl.h"
#include "run/stat_run.h"
#include "stat/fit.h"
#include "target/cgroup.h"
#include "perf/perf_counters.h"
#include "target/targets.h"
#include "target/threads.h"
#include "util/log.h"

static int pick_events(struct stat_counting *sc)
{
	const struct event_list *list = sc->cfg->events;
	size_t i;

	sc->events = calloc(list->cnt ? list->cnt : 1, sizeof(*sc->events));
	sc->skip = calloc(list->cnt ? list->cnt : 1, sizeof(*sc->skip));
	sc->fit_run = calloc(list->cnt ? list->cnt : 1, sizeof(*sc->fit_run));
	if (!sc->events || !sc->skip || !sc->fit_run)
		return -ENOMEM;
	for (i = 0; i < list->cnt; i++)
		if (list->events[i]->kind != EVENT_TOOL)
			sc->events[sc->event_cnt++] = list->events[i];
	return 0;
}

/* Returns the index of a listed event among those that the kernel counts. */
static size_t counter_of(const struct event_list *list, size_t event)
{
	size_t i, n = 0;

	for (i = 0; i < event; i++)
		n += list->events[i]->kind != EVENT_TOOL;
	return n;
}

/* Opens the groups of a list; equal ones share one descriptor. */
static int open_cgroups(struct stat_counting *sc)
{
	const struct stat_run_config *cfg = sc->cfg;
	size_t i, j, n = 0;
	int fd;

	sc->cgroup_fds = calloc(sc->event_cnt ? sc->event_cnt : 1, sizeof(*sc->cgroup_fds));
	if (!sc->cgroup_fds)
		return -ENOMEM;
	for (i = 0; i < sc->event_cnt; i++)
		sc->cgroup_fds[i] = -1;
	for (i = 0; i < cfg->events->cnt; i++) {
		if (cfg->events->events[i]->kind == EVENT_TOOL)
			continue;
		for (fd = -1, j = 0; j < i && cfg->cgroups[i] && fd < 0; j++)
			if (cfg->cgroups[j] && !strcmp(cfg->cgroups[i], cfg->cgroups[j]))
				fd = sc->cgroup_fds[counter_of(cfg->events, j)];
		if (fd < 0 && cfg->cgroups[i]) {
			fd = cgroup__open_dir(cfg->cgroups[i]);
			if (fd < 0)
				return fd;
		}
		sc->cgroup_fds[n++] = fd;
	}
	return 0;
}

static void close_cgroups(struct stat_counting *sc)
{
	size_t i, j;

	for (i = 0; sc->cgroup_fds && i < sc->event_cnt; i++) {
		for (j = 0; j < i && sc->cgroup_fds[j] != sc->cgroup_fds[i];)
			j++;
		if (j == i && sc->cgroup_fds[i] >= 0)
			close(sc->cgroup_fds[i]);
	}
	free(sc->cgroup_fds);
}

/* Determines the runs that --fit needs. 0 or -errno (logged). */
static int fit_events(struct stat_counting *sc)
{
	int *cpus = NULL, err;
	size_t cnt;

	err = targets__resolve_cpus(sc->cfg->targets, &cpus, &cnt);
	if (!err)
		err = stat_fit__find(sc->events, sc->event_cnt, sc->cfg->by_cpu ? cpus[0] : -1,
				     sc->fit_run, &sc->fit_cnt);
	free(cpus);
	if (err)
		log_error("the events cannot be spread over runs: %s; omit --fit, or give fewer "
			  "events",
			  strerror(-err));
	else
		log_note("--fit: %zu events in %zu %s of the command", sc->event_cnt, sc->fit_cnt,
			 sc->fit_cnt == 1 ? "run" : "runs");
	return err;
}

int stat_counting__prepare(struct stat_counting *sc, const struct stat_run_config *cfg)
{
	int err;

	sc->cfg = cfg;
	sc->fit_cnt = 1;
	sc->cgroup_fd = -1;
	err = pick_events(sc);
	if (!err)
		event_options__warn_unused(sc->events, sc->event_cnt);
	if (!err)
		err = stat_probes__choose(&sc->probes, sc->events, sc->event_cnt, cfg);
	if (!err && cfg->cgroups)
		return open_cgroups(sc);
	if (err || !cfg->targets->cgroup)
		return err;
	sc->cgroup_fd = cgroup__open_dir(cfg->targets->cgroup);
	return sc->cgroup_fd < 0 ? sc->cgroup_fd : 0;
}

int stat_counting__fit(struct stat_counting *sc)
{
	return sc->cfg->fit ? fit_events(sc) : 0;
}

void stat_counting__keep_alive(struct stat_counting *sc)
{
	const struct event **events = calloc(sc->event_cnt + 1, sizeof(*events));
	size_t cnt = 0, i;

	for (i = 0; events && i < sc->event_cnt; i++)
		if (!sc->probes.is_counted[i])
			events[cnt++] = sc->events[i];
	sc->is_kept_alive = events && tp_keepalive__open(&sc->keepalive, events, cnt);
	free(events);
}

void stat_counting__free(struct stat_counting *sc)
{
	/* cfg: it was prepared. */
	if (sc->cfg && sc->cgroup_fd >= 0)
		close(sc->cgroup_fd);
	close_cgroups(sc);
	tp_keepalive__free(&sc->keepalive);
	threads__free(&sc->threads);
	stat_probes__free(&sc->probes);
	free(sc->events);
	free(sc->skip);
	free(sc->fit_run);
}

static int find_threads(struct stat_counting *sc, pid_t cmd_pid)
{
	const struct targets *t = sc->cfg->targets;

	sc->threads.cnt = 0;
	if (sc->cfg->of_cmd)
		return threads__add(&sc->threads, cmd_pid);
	if (sc->cfg->by_cpu)
		return 0;
	if (t->pid_cnt || t->tid_cnt)
		return threads__add_targets(&sc->threads, t);
	return threads__add_all(&sc->threads, t->has_uid ? &t->uid : NULL,
				t->include_self ? 0 : getpid());
}

/*
 * Checks that there is a task to open counters for. is_later: in a run after the first, without a
 * message.
 */
static int check_threads(const struct stat_counting *sc, bool is_later)
{
	const struct targets *t = sc->cfg->targets;

	if (sc->threads.cnt || sc->cfg->by_cpu)
		return 0;
	if (is_later)
		return -ESRCH;
	if (t->has_uid)
		log_error("-u %u: this user has no processes", t->uid);
	else
		log_error("there is no task to count: all targets of -p and -t have exited");
	return -ESRCH;
}

/* Checks whether the cgroup is the reason for the refusal. */
static int check_cgroup(const struct stat_counting *sc, const struct event *ev, int err)
{
	if (err == -EBADF)
		log_error("-G %s: perf cannot count this cgroup; give a cgroup of v2, or of the "
			  "controller perf_event",
			  sc->cfg->targets->cgroup);
	else if (err == -ENOENT && (ev->kind == EVENT_SOFTWARE || ev->kind == EVENT_TRACEPOINT))
		/*
		 * The controller is implicit in v2, but only after the first change of the root's
		 * controllers.
		 */
		log_error("-G %s: perf's controller is not active there; write +pids to "
			  "/sys/fs/cgroup/cgroup.subtree_control, or have systemd do it",
			  sc->cfg->targets->cgroup);
	else
		return 0;
	return err;
}

static bool is_in_cgroup(const struct stat_counting *sc, size_t event)
{
	return sc->cgroup_fd >= 0 || (sc->cgroup_fds && sc->cgroup_fds[event] >= 0);
}

/* An event that the user has no permission for is an error, not a column. */
static int check_rights(const struct stat_counting *sc)
{
	long paranoid = 0;
	size_t i;
	int err;

	for (i = 0; i < sc->event_cnt; i++) {
		struct counter_refusal r = perf_counters__refusal(sc->counters, i);

		err = r.state == COUNTER_REFUSED && is_in_cgroup(sc, i)
			      ? check_cgroup(sc, sc->events[i], r.err)
			      : 0;
		if (err)
			return err;
		if (r.state != COUNTER_REFUSED || r.err != -EACCES)
			continue;
		sysctl__perf_event_paranoid(&paranoid);
		if (sc->events[i]->exclude_user && !sc->events[i]->exclude_kernel) {
			log_error("%s counts in the kernel only, which you may not observe; run as "
				  "root, or with CAP_PERFMON, or with sysctl "
				  "kernel.perf_event_paranoid=1 (it is %ld)",
				  sc->events[i]->name, paranoid);
			return -EACCES;
		}
		/* Up to paranoid 2 all users may count their own tasks. */
		if (!sc->cfg->by_cpu && paranoid <= 2)
			log_error("%s: to count a process of another user, or with more privileges "
				  "than yours, run as root, or with CAP_PERFMON",
				  sc->events[i]->name);
		else
			log_error("you may not count %s; run as root, or with CAP_PERFMON, or with "
				  "sysctl kernel.perf_event_paranoid=-1 (it is %ld)",
				  sc->events[i]->name, paranoid);
		return -EACCES;
	}
	return 0;
}

int stat_counting__open(struct stat_counting *sc, size_t fit, pid_t cmd_pid, bool is_later)
{
	const struct stat_run_config *rc = sc->cfg;
	const struct targets *t = rc->targets;
	struct perf_counters_config cfg = {
		.events = sc->events,
		.event_cnt = sc->event_cnt,
		.cgroup_fd = sc->cgroup_fd,
		.cgroup_fds = sc->cgroup_fds,
		.skip = sc->fit_cnt > 1 ? sc->skip : NULL,
		.user_read = rc->user_read,
		.inherit = !rc->no_inherit && !rc->user_read,
		.kept_alive = sc->is_kept_alive,
		.start = rc->of_cmd && !rc->delay_ms && !rc->is_paused ? COUNTERS_ON_EXEC
								       : COUNTERS_STOPPED,
	};
	int *cpus = NULL, err;
	size_t i;

	for (i = 0; i < sc->event_cnt; i++)
		sc->skip[i] = sc->fit_run[i] != fit;
	err = find_threads(sc, cmd_pid);
	if (!err)
		err = check_threads(sc, is_later);
	if (err)
		return err;
	cfg.tids = sc->threads.tids;
	cfg.tid_cnt = sc->threads.cnt;
	cfg.noinherit_cnt = sc->threads.noinherit_cnt;
	if (rc->by_cpu || t->cpus)
		err = targets__resolve_cpus(t, &cpus, &cfg.cpu_cnt);
	if (err)
		return err;
	cfg.cpus = cpus;
	err = stat_probes__open(&sc->probes, rc, cmd_pid);
	cfg.other = stat_probes__source(&sc->probes);
	if (!err) {
		sc->counters = perf_counters__open(&cfg);
		err = sc->counters ? 0 : -errno;
	}
	/* An exec switches perf's counters on, and lets the program of probes know CMD. */
	if (!err && cfg.start == COUNTERS_ON_EXEC)
		stat_probes__switch(&sc->probes, true);
	/* On one CPU alone the events are perf's, one for one. */
	if (!err && cfg.cpu_cnt > 1 && !cfg.tid_cnt)
		cpu_watch__open(&sc->watch, cpus, cfg.cpu_cnt);
	free(cpus);
	return err ? err : check_rights(sc);
}

int stat_counting__enable(struct stat_counting *sc)
{
	stat_probes__switch(&sc->probes, true);
	return perf_counters__enable(sc->counters);
}

int stat_counting__disable(struct stat_counting *sc)
{
	stat_probes__switch(&sc->probes, false);
	return perf_counters__disable(sc->counters);
}

void stat_counting__close(struct stat_counting *sc)
{
	cpu_watch__report(&sc->watch);
	cpu_watch__close(&sc->watch);
	perf_counters__free(sc->counters);
	sc->counters = NULL;
	stat_probes__close(&sc->probes);
}

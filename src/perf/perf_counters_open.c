// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "event/event.h"
#include "perf/perf_counters_priv.h"
#include "perf/perf_fd.h"
#include "target/targets.h"
#include "util/log.h"

static const int any_cpu = -1;
static const pid_t everybody = -1;
static const struct event clock_event = { .kind = EVENT_SOFTWARE,
					  .type = PERF_TYPE_SOFTWARE,
					  .config = PERF_COUNT_SW_DUMMY,
					  .group = -1 };

/* The CPUs of list `only` ("0,28") that are among `cpus`, or all of `only` where there are none. */
static int pick_cpus(struct counter *ct, const char *only, const int *cpus, size_t cnt)
{
	struct targets of_pmu = { 0 };
	size_t i, j;
	int err;

	err = targets__set_cpus(&of_pmu, only);
	if (err)
		return err;
	if (!cnt) {
		ct->cpus = of_pmu.cpus;
		ct->cpu_cnt = of_pmu.cpu_cnt;
		return 0;
	}
	ct->cpus = calloc(cnt, sizeof(*ct->cpus));
	for (i = 0; ct->cpus && i < of_pmu.cpu_cnt; i++)
		for (j = 0; j < cnt; j++)
			if (of_pmu.cpus[i] == cpus[j])
				ct->cpus[ct->cpu_cnt++] = cpus[j];
	err = ct->cpus ? 0 : -ENOMEM;
	targets__free(&of_pmu);
	return err;
}

static int copy_cpus(struct counter *ct, const int *cpus, size_t cnt)
{
	ct->cpus = calloc(cnt, sizeof(*ct->cpus));
	if (!ct->cpus)
		return -ENOMEM;
	memcpy(ct->cpus, cpus, cnt * sizeof(*cpus));
	ct->cpu_cnt = cnt;
	return 0;
}

static int choose_cpus(struct counter *ct, const struct perf_counters_config *cfg)
{
	const struct targets all = { 0 };
	const struct event *ev = ct->ev;

	if (ev->cpus && (ev->system_wide || cfg->cpu_cnt))
		return pick_cpus(ct, ev->cpus, cfg->cpus, cfg->cpu_cnt);
	if (cfg->cpu_cnt)
		return copy_cpus(ct, cfg->cpus, cfg->cpu_cnt);
	if (ev->system_wide)
		return targets__resolve_cpus(&all, &ct->cpus, &ct->cpu_cnt);
	return copy_cpus(ct, &any_cpu, 1);
}

/* The cells of one event, all of them closed. */
static int lay_out(struct counter *ct, const struct perf_counters_config *cfg, bool skip)
{
	const pid_t *tids = cfg->tid_cnt && !ct->ev->system_wide ? cfg->tids : &everybody;
	size_t cells, i;
	int err;

	ct->refusal.machine_wide = ct->ev->system_wide && (cfg->tid_cnt || cfg->cgroup_fd > 0);
	err = choose_cpus(ct, cfg);
	if (err)
		return err;
	ct->tid_cnt = tids == &everybody ? 1 : cfg->tid_cnt;
	cells = ct->cpu_cnt * ct->tid_cnt;
	ct->tids = calloc(ct->tid_cnt, sizeof(*ct->tids));
	ct->fds = calloc(cells ? cells : 1, sizeof(*ct->fds));
	ct->counts = calloc(cells ? cells : 1, sizeof(*ct->counts));
	ct->in_error = calloc(cells ? cells : 1, sizeof(*ct->in_error));
	if (!ct->tids || !ct->fds || !ct->counts || !ct->in_error)
		return -ENOMEM;
	memcpy(ct->tids, tids, ct->tid_cnt * sizeof(*tids));
	for (i = 0; i < cells; i++)
		ct->fds[i] = -1;
	/* A CPU's event cannot wait for a thread's exec. */
	ct->on_exec = cfg->start == COUNTERS_ON_EXEC && ct->tids[0] != everybody;
	if (skip)
		ct->refusal.state = COUNTER_SKIPPED;
	else if (!cells)
		ct->refusal = (struct counter_refusal){ .state = COUNTER_REFUSED, .err = -ENODEV };
	return 0;
}

static bool have_same_cells(const struct counter *a, const struct counter *b)
{
	return a->cpu_cnt == b->cpu_cnt && a->tid_cnt == b->tid_cnt &&
	       !memcmp(a->cpus, b->cpus, a->cpu_cnt * sizeof(*a->cpus)) &&
	       !memcmp(a->tids, b->tids, a->tid_cnt * sizeof(*a->tids));
}

/* Is a part of its group skipped, and another not? So one with W is taken apart for several runs. */
static bool is_cut(const struct perf_counters *c, size_t at)
{
	const struct counter *ct = &c->counters[at];
	size_t i;

	for (i = 0; i < c->cnt && ct->ev->group >= 0; i++)
		if (c->counters[i].ev->group == ct->ev->group &&
		    (c->counters[i].refusal.state == COUNTER_SKIPPED) !=
			    (ct->refusal.state == COUNTER_SKIPPED))
			return true;
	return false;
}

/* Who leads whom. What is counted elsewhere, or in another run, than its leader stands alone. */
static void form_groups(struct perf_counters *c)
{
	size_t i, leader = 0;

	for (i = 0; i < c->cnt; i++) {
		struct counter *ct = &c->counters[i], *first = &c->counters[leader];
		bool joins = i && ct->ev->group >= 0 && ct->ev->group == first->ev->group;

		if (joins && first->member_cnt == i - leader && have_same_cells(first, ct) &&
		    !is_cut(c, i)) {
			ct->leader = leader;
			first->member_cnt++;
			continue;
		}
		ct->refusal.ungrouped = joins;
		ct->leader = leader = i;
		ct->member_cnt = 1;
	}
}

static bool is_denied(int err)
{
	return err == -EACCES || err == -EPERM;
}

/* Perf events have the kernel's own filters. Closes fd where it is refused: fd or -errno. */
static int with_filter(const struct event *ev, int fd)
{
	int err;

	if (fd < 0 || !ev->filter || !ioctl(fd, PERF_EVENT_IOC_SET_FILTER, ev->filter))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

/* One event in one cell, as a member of the group of `leader_fd` or, at -1, its own. */
static int open_cell(struct counter *ct, const struct perf_counters_config *cfg, size_t cell,
		     int leader_fd, bool in_group)
{
	struct perf_counting how = {
		.pid = ct->tids[cell % ct->tid_cnt],
		.cpu = ct->cpus[cell / ct->tid_cnt],
		.group_fd = leader_fd,
		.in_group = in_group,
		.inherit = cfg->inherit && cell % ct->tid_cnt + cfg->noinherit_cnt < ct->tid_cnt,
		.disabled = leader_fd < 0 && cfg->start != COUNTERS_RUNNING,
		.enable_on_exec = leader_fd < 0 && ct->on_exec,
		.user_only = ct->refusal.user_only,
	};
	int fd;

	if (cfg->cgroup_fd > 0 && !ct->ev->system_wide) {
		how.pid = cfg->cgroup_fd;
		how.of_cgroup = true;
	}
	fd = with_filter(ct->ev, perf_fd__open_counting(ct->ev, &how));
	if (!is_denied(fd) || how.user_only || ct->ev->exclude_kernel)
		return fd;
	/* Without the kernel's part, of :k nothing would be left. */
	if (ct->ev->exclude_user)
		return -EACCES;
	/* Who may not look at the kernel may still look at his own programs. */
	how.user_only = true;
	fd = with_filter(ct->ev, perf_fd__open_counting(ct->ev, &how));
	if (fd >= 0)
		ct->refusal.user_only = true;
	return is_denied(fd) ? -EACCES : fd;
}

/* The task or the CPU is gone: nobody's fault, and the other cells count. */
static bool is_gone(int err)
{
	return err == -ESRCH || err == -ENODEV;
}

static void drop_cell(struct counter *ct, size_t cell)
{
	if (ct->fds[cell] >= 0)
		close(ct->fds[cell]);
	ct->fds[cell] = -1;
}

static void close_cells(struct counter *ct)
{
	size_t i;

	for (i = 0; i < ct->cpu_cnt * ct->tid_cnt; i++)
		drop_cell(ct, i);
}

/*
 * Member `bad` was refused in this cell with `err`. Of each member is found out whether it is to
 * blame, as perf stat's output tells it; the group is closed.
 */
static void break_group(struct perf_counters *c, size_t leader, size_t bad, int err,
			const struct perf_counters_config *cfg, size_t cell)
{
	struct counter *first = &c->counters[leader];
	size_t cnt = first->member_cnt, i;
	int fd;

	for (i = 0; i < cnt; i++) {
		struct counter *ct = &first[i];

		ct->refusal.state = COUNTER_GROUP_BROKEN;
		ct->refusal.event = bad;
		if (leader + i < bad)
			continue;
		fd = leader + i == bad ? err
		     : bad == leader   ? -EINVAL
				       : open_cell(ct, cfg, cell, first->fds[cell], true);
		if (fd >= 0) {
			ct->fds[cell] = fd;
			continue;
		}
		ct->refusal.err = fd;
		fd = open_cell(ct, cfg, cell, -1, false);
		ct->refusal.alone_too = fd < 0;
		if (fd >= 0)
			close(fd);
		/* With a leader that is refused, who could count alone is only without a group. */
		if (bad != leader || leader + i == bad || ct->refusal.alone_too) {
			ct->refusal.state = COUNTER_REFUSED;
			ct->refusal.event = leader + i;
		}
	}
	for (i = 0; i < cnt; i++)
		close_cells(&first[i]);
}

static void refuse(struct counter *ct, size_t event, int err)
{
	close_cells(ct);
	ct->refusal.state = COUNTER_REFUSED;
	ct->refusal.err = err;
	ct->refusal.event = event;
	ct->refusal.alone_too = true;
}

/* All members in one cell: 0; -EAGAIN where the group was split (W). */
static int open_group_cell(struct perf_counters *c, size_t leader, size_t cell,
			   const struct perf_counters_config *cfg)
{
	struct counter *first = &c->counters[leader];
	size_t cnt = first->member_cnt, i;
	int fd;

	for (i = 0; i < cnt; i++) {
		fd = open_cell(&first[i], cfg, cell, i ? first->fds[cell] : -1, cnt > 1);
		if (fd == -EMFILE || fd == -ENOMEM)
			return fd;
		if (is_gone(fd)) {
			while (i--)
				drop_cell(&first[i], cell);
			return 0;
		}
		first[i].fds[cell] = fd < 0 ? -1 : fd;
		if (fd >= 0)
			continue;
		if (cnt > 1 && first->ev->weak_group)
			return -EAGAIN;
		if (cnt > 1)
			break_group(c, leader, leader + i, fd, cfg, cell);
		else
			refuse(first, leader, fd);
		return 0;
	}
	return 0;
}

static void split_group(struct perf_counters *c, size_t leader)
{
	struct counter *first = &c->counters[leader];
	size_t cnt = first->member_cnt, i;

	for (i = 0; i < cnt; i++) {
		close_cells(&first[i]);
		first[i].leader = leader + i;
		first[i].member_cnt = 1;
		first[i].refusal.ungrouped = true;
	}
}

static bool counts_anywhere(const struct counter *ct)
{
	size_t i;

	for (i = 0; i < ct->cpu_cnt * ct->tid_cnt; i++)
		if (ct->fds[i] >= 0)
			return true;
	return false;
}

static int open_group(struct perf_counters *c, size_t leader,
		      const struct perf_counters_config *cfg)
{
	struct counter *first = &c->counters[leader];
	size_t cells = first->cpu_cnt * first->tid_cnt, i;
	int err = 0;

	for (i = 0; i < cells && first->refusal.state == COUNTER_COUNTS && !err; i++)
		err = open_group_cell(c, leader, i, cfg);
	if (err == -EAGAIN) {
		split_group(c, leader);
		return open_group(c, leader, cfg);
	}
	if (err || first->refusal.state != COUNTER_COUNTS || counts_anywhere(first))
		return err;
	for (i = 0; i < first->member_cnt; i++)
		first[i].refusal.state = COUNTER_NO_TASK;
	return 0;
}

static int make_buf(struct perf_counters *c)
{
	size_t most = 1, i;

	for (i = 0; i < c->cnt; i++)
		if (c->counters[i].leader == i && c->counters[i].member_cnt > most)
			most = c->counters[i].member_cnt;
	c->buf_sz = (3 + most) * sizeof(uint64_t);
	c->buf = calloc(1, c->buf_sz);
	return c->buf ? 0 : -ENOMEM;
}

static int open_all(struct perf_counters *c, const struct perf_counters_config *cfg)
{
	size_t i;
	int err;

	for (i = 0; i < c->cnt; i++) {
		bool is_clock = &c->counters[i] == c->clock;

		c->counters[i].ev = is_clock ? &clock_event : cfg->events[i];
		err = lay_out(&c->counters[i], cfg, !is_clock && cfg->skip && cfg->skip[i]);
		if (err)
			return err;
	}
	form_groups(c);
	c->user_read = cfg->user_read;
	c->kept_alive = cfg->kept_alive;
	err = make_buf(c);
	for (i = 0; i < c->cnt && !err; i++)
		if (c->counters[i].leader == i)
			err = open_group(c, i, cfg);
	return err || !cfg->user_read ? err : perf_counters_user__map(c);
}

struct perf_counters *perf_counters__open(const struct perf_counters_config *cfg)
{
	bool has_clock = cfg->cpu_cnt && cfg->tid_cnt;
	struct perf_counters *c = calloc(1, sizeof(*c));
	int err = -ENOMEM;

	if (c)
		c->counters = calloc(cfg->event_cnt + 1, sizeof(*c->counters));
	if (cfg->tids && !cfg->tid_cnt) {
		/* Nobody is not everybody. */
		err = -ESRCH;
	} else if (c && c->counters) {
		c->cnt = cfg->event_cnt + has_clock;
		c->clock = has_clock ? &c->counters[cfg->event_cnt] : NULL;
		err = open_all(c, cfg);
	}
	if (!err)
		return c;
	if (err == -EMFILE)
		log_error("too many open files for %zu events; raise `ulimit -n`, or count fewer "
			  "events, CPUs or threads at once",
			  cfg->event_cnt);
	else
		log_error("counters cannot be opened: %s", strerror(-err));
	perf_counters__free(c);
	errno = -err;
	return NULL;
}

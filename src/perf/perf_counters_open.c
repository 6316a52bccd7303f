// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Opens counters group by group; a refusal by the kernel becomes a struct counter_refusal. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "perf/breakpoints.h"
#include "perf/perf_counters_priv.h"
#include "perf/perf_fd.h"
#include "util/log.h"

static const struct event clock_event = { .kind = EVENT_SOFTWARE,
					  .type = PERF_TYPE_SOFTWARE,
					  .config = PERF_COUNT_SW_DUMMY,
					  .group = -1 };

/*
 * Are all CPUs of its PMU offline, as the E cores may be? The kernel answers with ENOMEM then, as
 * if memory lacked (kernel: allocate_fake_cpuc()).
 */
static bool is_without_cpus(const struct event *ev)
{
	return ev->cpus && !*ev->cpus && !ev->system_wide;
}

static int add_event(struct perf_counters *c, const struct event *ev,
		     const struct perf_counters_config *cfg, bool skip)
{
	size_t idx = c->set.cnt;
	int cgroup_fd =
		cfg->cgroup_fds && idx < cfg->event_cnt ? cfg->cgroup_fds[idx] : cfg->cgroup_fd;
	bool of_cgroup = cgroup_fd >= 0;
	const struct evset_target target = {
		.cpus = cfg->cpus,
		.cpu_cnt = cfg->cpu_cnt,
		.tids = cfg->tids,
		.tid_cnt = cfg->tid_cnt,
		.noinherit_cnt = cfg->noinherit_cnt,
		.cgroup_fd = of_cgroup ? cgroup_fd : -1,
		.system_wide = ev->system_wide,
	};
	struct counter *ct = &c->counters[c->set.cnt];
	struct evsel *sel = &c->set.events[c->set.cnt];
	size_t cells;
	int err;

	ct->is_other = cfg->other.value && idx < cfg->event_cnt && cfg->other.has[idx];
	ct->refusal.machine_wide = ev->system_wide && (cfg->tid_cnt || of_cgroup);
	err = evset__add(&c->set, ct->is_other ? &clock_event : ev, &target);
	if (err)
		return err;
	sel->skipped = skip;
	sel->filter = ev->filter;
	sel->may_drop_kernel = true;
	cells = evsel__cell_cnt(sel);
	ct->counts = calloc(cells ? cells : 1, sizeof(*ct->counts));
	ct->in_error = calloc(cells ? cells : 1, sizeof(*ct->in_error));
	ct->held = calloc(cells + 1, sizeof(*ct->held));
	ct->held_back = calloc(cells + 1, sizeof(*ct->held_back));
	if (!ct->counts || !ct->in_error || !ct->held || !ct->held_back)
		return -ENOMEM;
	if (skip)
		ct->refusal.state = COUNTER_SKIPPED;
	else if (!cells || is_without_cpus(ev))
		ct->refusal = (struct counter_refusal){
			.state = COUNTER_REFUSED, .err = -ENODEV, .event = idx, .alone_too = true
		};
	return 0;
}

static void fill_attr(struct perf_counters *c, size_t event, const struct perf_counters_config *cfg)
{
	struct evsel *sel = &c->set.events[event];
	struct perf_event_attr *attr = &sel->attr;
	bool leads = sel->leader == event;

	perf_fd__attr(attr, sel->ev);
	attr->inherit = cfg->inherit && evset__can_inherit(&c->set, event);
	sel->always_on = attr->inherit && sel->tids[0] >= 0;
	attr->disabled = leads && (cfg->start == COUNTERS_ON_EXEC ||
				   (cfg->start == COUNTERS_STOPPED && !sel->always_on));
	/* An event of a CPU cannot wait for a thread's exec. */
	attr->enable_on_exec = leads && cfg->start == COUNTERS_ON_EXEC && sel->tids[0] >= 0;
	/* perf stat has it, too; the kernel takes no sample. */
	attr->sample_type = PERF_SAMPLE_IDENTIFIER;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (!leads || sel->member_cnt > 1)
		attr->read_format |= PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	if (sel->user_only)
		attr->exclude_kernel = attr->exclude_hv = 1;
	c->counters[event].refusal.ungrouped = sel->ungrouped;
}

static void close_group(struct perf_counters *c, size_t leader)
{
	size_t cnt = c->set.events[leader].member_cnt, i;

	for (i = leader; i < leader + cnt; i++)
		evsel__close(&c->set.events[i]);
}

/*
 * Member `bad` was refused in this cell with `err`. Closes the group and tries each member alone,
 * to find the ones to blame: perf stat's output distinguishes them.
 */
static void break_group(struct perf_counters *c, size_t leader, size_t bad, int err, size_t cell)
{
	size_t cnt = c->set.events[leader].member_cnt, i;

	for (i = leader; i < leader + cnt; i++) {
		struct counter_refusal *r = &c->counters[i].refusal;
		int one;

		r->state = COUNTER_GROUP_BROKEN;
		r->event = bad;
		if (i < bad)
			continue;
		one = i == bad        ? err
		      : bad == leader ? -EINVAL
				      : evset__open_member(&c->set, i, cell);
		if (!one)
			continue;
		r->err = one;
		r->alone_too = evset__try_alone(&c->set, i, cell) < 0;
		/* Below a refused leader, a member that could count alone only lacks its group. */
		if (bad != leader || i == bad || r->alone_too) {
			r->state = COUNTER_REFUSED;
			r->event = i;
		}
	}
	close_group(c, leader);
}

static void refuse_event(struct perf_counters *c, size_t event, int err)
{
	struct counter_refusal *r = &c->counters[event].refusal;

	evsel__close(&c->set.events[event]);
	r->state = COUNTER_REFUSED;
	r->err = err;
	r->event = event;
	r->alone_too = true;
}

/* Opens all members in one cell. Returns 0; -EAGAIN: the group must be split (W). */
static int open_group_cell(struct perf_counters *c, size_t leader, size_t cell)
{
	const struct evsel *first = &c->set.events[leader];
	size_t bad;
	int err = evset__open_cell(&c->set, leader, cell, &bad);

	if (!err || err == -EMFILE || err == -ENOMEM)
		return err;
	if (evset__is_gone(err))
		return 0;
	if (first->member_cnt > 1 && first->ev->weak_group)
		return -EAGAIN;
	if (first->member_cnt > 1)
		break_group(c, leader, bad, err, cell);
	else
		refuse_event(c, leader, err);
	return 0;
}

static int open_group(struct perf_counters *c, size_t leader,
		      const struct perf_counters_config *cfg)
{
	const struct evsel *first = &c->set.events[leader];
	const enum counter_state *state = &c->counters[leader].refusal.state;
	size_t cells = evsel__cell_cnt(first), cnt = first->member_cnt, i;
	int err = 0;

	for (i = 0; i < cells && *state == COUNTER_COUNTS && !err; i++)
		err = open_group_cell(c, leader, i);
	if (err == -EAGAIN) {
		evset__split_group(&c->set, leader);
		for (i = leader; i < leader + cnt; i++)
			fill_attr(c, i, cfg);
		return open_group(c, leader, cfg);
	}
	for (i = leader; i < leader + cnt; i++)
		c->counters[i].refusal.user_only = c->set.events[i].user_only;
	if (err || *state != COUNTER_COUNTS || evsel__is_open(first))
		return err;
	for (i = leader; i < leader + cnt; i++)
		c->counters[i].refusal.state = COUNTER_NO_TASK;
	return 0;
}

static int alloc_buf(struct perf_counters *c)
{
	size_t most = 1, i;

	for (i = 0; i < c->set.cnt; i++)
		if (c->set.events[i].member_cnt > most)
			most = c->set.events[i].member_cnt;
	c->buf_sz = (3 + 2 * most) * sizeof(uint64_t);
	c->buf = calloc(1, c->buf_sz);
	return c->buf ? 0 : -ENOMEM;
}

/* Events that are counted elsewhere have equal cells: one of them is enough for their times. */
static bool is_opened(const struct perf_counters *c, size_t event)
{
	return c->set.events[event].leader == event &&
	       (!c->counters[event].is_other || event == c->other_first);
}

static void find_first_other(struct perf_counters *c)
{
	for (c->other_first = 0; c->other_first < c->set.cnt; c->other_first++)
		if (c->counters[c->other_first].is_other)
			return;
}

static int open_all(struct perf_counters *c, const struct perf_counters_config *cfg)
{
	int err = evset__init(&c->set, cfg->event_cnt + 1);
	size_t i;

	for (i = 0; i < cfg->event_cnt && !err; i++)
		err = add_event(c, cfg->events[i], cfg, cfg->skip && cfg->skip[i]);
	if (!err && c->has_clock)
		err = add_event(c, &clock_event, cfg, false);
	if (err)
		return err;
	evset__form_groups(&c->set);
	for (i = 0; i < c->set.cnt; i++)
		fill_attr(c, i, cfg);
	c->user_read = cfg->user_read;
	c->is_on = cfg->start != COUNTERS_STOPPED;
	c->set.kept_alive = cfg->kept_alive;
	err = alloc_buf(c);
	c->other = cfg->other;
	find_first_other(c);
	for (i = 0; i < c->set.cnt && !err; i++)
		if (is_opened(c, i))
			err = open_group(c, i, cfg);
	for (i = 0; i < c->set.cnt; i++)
		if (c->counters[i].is_other)
			c->counters[i].refusal = c->counters[c->other_first].refusal;
	return err || !cfg->user_read ? err : perf_counters_user__map(c);
}

struct perf_counters *perf_counters__open(const struct perf_counters_config *cfg)
{
	struct perf_counters *c = calloc(1, sizeof(*c));
	int err = -ENOMEM;

	if (c)
		c->counters = calloc(cfg->event_cnt + 1, sizeof(*c->counters));
	if (cfg->tids && !cfg->tid_cnt) {
		/* An empty list of tasks does not mean all tasks. */
		err = -ESRCH;
	} else if (c && c->counters) {
		c->has_clock = cfg->cpu_cnt && cfg->tid_cnt;
		err = open_all(c, cfg);
	}
	if (!err) {
		breakpoints__warn(cfg->events, cfg->event_cnt);
		return c;
	}
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

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Events of record: an evset with the attr of sampling_attr.c. */
#include "perf/sampling.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "event/event.h"
#include "perf/breakpoints.h"
#include "perf/sampling_priv.h"
#include "util/log.h"

/*
 * The dummy also covers the CPUs that -C omits: a task may be created on them, and migrate later.
 */
static int add_event(struct sampling_events *c, const struct event *ev,
		     const struct sampling_config *cfg)
{
	bool of_cpus = cfg->cpu_cnt && !cfg->tid_cnt;
	struct evset_target target = {
		.cpus = cfg->cpus,
		.cpu_cnt = !ev && of_cpus ? 0 : cfg->cpu_cnt,
		.tids = cfg->tids,
		.tid_cnt = cfg->tid_cnt,
		.noinherit_cnt = cfg->noinherit_cnt,
		.cgroup_fd = ev ? cfg->cgroup_fd : -1,
		.system_wide = !ev && of_cpus,
	};
	struct evsel *sel = &c->set.events[c->set.cnt];
	int err = evset__add(&c->set, ev, &target);

	if (err)
		return err;
	sel->same_attr = true;
	sel->always_on = !ev;
	sel->name = ev ? ev->name : "dummy:u";
	sel->has_aux = ev && cfg->aux_sz && sampling_aux__probe(ev);
	sel->may_drop_kernel = ev && ev->kind != EVENT_TRACEPOINT && sel->tids[0] >= 0;
	return 0;
}

static void fill_attrs(struct sampling_events *c, const struct sampling_config *cfg)
{
	const struct evsel *first = &c->set.events[0];
	const struct event *trace = NULL;
	size_t i;

	for (i = 0; i < c->set.cnt; i++) {
		struct evsel *sel = &c->set.events[i];
		bool is_member = sel->leader != i;

		if (sel->has_aux && !trace)
			trace = sel->ev;
		if (!sel->ev)
			sampling_attr__fill_dummy(&sel->attr, cfg, &first->attr, trace);
		else if (sel->has_aux)
			sampling_attr__fill_aux(&sel->attr, sel->ev, cfg, is_member);
		else
			sampling_attr__fill(&sel->attr, sel->ev, cfg, is_member,
					    is_member && c->set.events[sel->leader].ev->read_group);
		/* The kernel writes the counts of a group in the fields of its leader. */
		if (sel->ev && is_member && c->set.events[sel->leader].ev->read_group)
			sel->attr.sample_type = c->set.events[sel->leader].attr.sample_type;
		if (sel->ev && is_member && c->set.events[sel->leader].has_aux)
			sampling_attr__sample_aux(&sel->attr, sel->ev, &cfg->how);
		sel->attr.inherit &= evset__can_inherit(&c->set, i);
	}
}

static int add_events(struct sampling_events *c, const struct sampling_config *cfg)
{
	int err = evset__init(&c->set, cfg->events->cnt + 1);
	struct sampling_config with_aux = *cfg;
	size_t i;

	for (i = 0; i < cfg->events->cnt && !err; i++)
		err = add_event(c, cfg->events->events[i], cfg);
	if (!err)
		err = add_event(c, NULL, cfg);
	if (err)
		return err;
	evset__form_groups(&c->set);
	for (i = 0; i < c->set.cnt; i++)
		with_aux.has_aux |= c->set.events[i].has_aux;
	fill_attrs(c, &with_aux);
	return 0;
}

static void warn_user_only(const struct sampling_events *c, size_t leader)
{
	const struct evsel *sel = &c->set.events[leader];
	size_t i;

	for (i = 0; i < c->set.events[leader].member_cnt; i++, sel++)
		if (sel->user_only)
			log_warn("%s is sampled in user space only: sampling the kernel needs "
				 "CAP_PERFMON, or sysctl kernel.perf_event_paranoid=1",
				 sel->name);
}

/* Opens a leader and its members. Returns 0, or -errno after one sentence. */
static int open_group(struct sampling_events *c, size_t leader, const struct sampling_config *cfg)
{
	const struct evsel *first = &c->set.events[leader];
	size_t cells = evsel__cell_cnt(first), bad = leader, i;
	int err = 0;

	for (i = 0; i < cells && (!err || evset__is_gone(err)); i++)
		err = evset__open_cell(&c->set, leader, i, &bad);
	warn_user_only(c, leader);
	if (err && !evset__is_gone(err)) {
		sampling_events__explain(c->set.events[bad].ev, cfg, evsel__cpu(first, i - 1), err);
		return err;
	}
	if (evsel__is_open(first) || !first->ev)
		return 0;
	if (!cells)
		log_error("%s counts on none of these CPUs: its PMU has CPUs %s", first->name,
			  first->ev->cpus ? first->ev->cpus : "of its own");
	else
		log_error("%s: all targets have exited", first->name);
	return err ? err : -ESRCH;
}

static bool all_count_lost(const struct sampling_events *c)
{
	size_t i;

	for (i = 0; i < c->set.cnt; i++)
		if (!(c->set.events[i].attr.read_format & PERF_FORMAT_LOST))
			return false;
	return true;
}

int sampling_events__open(struct sampling_events **cp, const struct sampling_config *cfg)
{
	struct sampling_events *c = calloc(1, sizeof(*c));
	int err = c ? add_events(c, cfg) : -ENOMEM;
	size_t i;

	*cp = NULL;
	if (err)
		log_error("cannot open events: %s", strerror(-err));
	else
		err = sampling_aux__check(&c->set, cfg);
	for (i = 0; !err && i < c->set.cnt; i++)
		if (c->set.events[i].leader == i)
			err = open_group(c, i, cfg);
	if (err) {
		sampling_events__free(c);
		return err;
	}
	breakpoints__warn((const struct event *const *)cfg->events->events, cfg->events->cnt);
	c->counts_lost = all_count_lost(c);
	*cp = c;
	return 0;
}

void sampling_events__free(struct sampling_events *c)
{
	if (!c)
		return;
	evset__free(&c->set);
	free(c);
}

int sampling_events__enable(struct sampling_events *c)
{
	return evset__enable(&c->set);
}

int sampling_events__enable_copies(struct sampling_events *c)
{
	return evset__enable_copies(&c->set);
}

int sampling_events__disable(struct sampling_events *c)
{
	return evset__disable(&c->set);
}

uint64_t *sampling_events__ids(const struct sampling_events *c, size_t event, size_t *cnt)
{
	const struct evsel *sel = &c->set.events[event];
	uint64_t *ids = calloc(evsel__cell_cnt(sel) ? evsel__cell_cnt(sel) : 1, sizeof(*ids));
	size_t i;

	*cnt = 0;
	for (i = 0; ids && i < evsel__cell_cnt(sel); i++)
		if (sel->fds[i] >= 0 && ioctl(sel->fds[i], PERF_EVENT_IOC_ID, &ids[*cnt]) == 0)
			++*cnt;
	return ids;
}

uint64_t sampling_events__lost(const struct sampling_events *c, size_t event)
{
	const struct evsel *sel = &c->set.events[event];
	uint64_t lost = 0, one[3], *group;
	size_t times = !!(sel->attr.read_format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		       !!(sel->attr.read_format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	size_t i, sz = sizeof(one) + times * sizeof(*group), at = 2 + times;

	if (!(sel->attr.read_format & PERF_FORMAT_LOST))
		return 0;
	/* The leader samples for the group, and a read of any member returns the whole group. */
	if (sel->attr.read_format & PERF_FORMAT_GROUP && sel->leader != event)
		return 0;
	/*
	 * value, times, id, lost; for a group: nr, times, and then the other three of each event,
	 * the leader first
	 */
	if (sel->attr.read_format & PERF_FORMAT_GROUP) {
		sz = sizeof(uint64_t) * (1 + times + 3 * c->set.cnt);
		at = 3 + times;
	}
	group = calloc(1, sz);
	for (i = 0; group && i < evsel__cell_cnt(sel); i++)
		if (sel->fds[i] >= 0 && read(sel->fds[i], group, sz) >= (ssize_t)sizeof(one))
			lost += group[at];
	free(group);
	return lost;
}

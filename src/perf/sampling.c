// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "perf/sampling.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "event/event.h"
#include "perf/sampling_priv.h"
#include "perf/detach.h"
#include "perf/perf_fd.h"
#include "target/targets.h"
#include "util/log.h"

static const pid_t everybody = -1;
static const int any_cpu = -1;

static size_t cells(const struct sampling_event *ce)
{
	return ce->cpu_cnt * ce->tid_cnt;
}

/* The CPUs of an event: cpus, or of a PMU that says which, those of them. */
static int choose_cpus(struct sampling_event *ce, const int *cpus, size_t cnt)
{
	struct targets of_pmu = { 0 };
	size_t i, j;
	int err = 0;

	ce->cpus = calloc(cnt, sizeof(*ce->cpus));
	if (!ce->cpus)
		return -ENOMEM;
	if (ce->ev && ce->ev->cpus && cpus[0] != any_cpu)
		err = targets__set_cpus(&of_pmu, ce->ev->cpus);
	for (i = 0; i < cnt && !err; i++) {
		bool has = !of_pmu.cpus;

		for (j = 0; j < of_pmu.cpu_cnt; j++)
			has |= of_pmu.cpus[j] == cpus[i];
		if (has)
			ce->cpus[ce->cpu_cnt++] = cpus[i];
	}
	targets__free(&of_pmu);
	return err;
}

static int lay_out(struct sampling_event *ce, const struct sampling_config *cfg)
{
	const struct targets all = { 0 };
	const pid_t *tids = cfg->tid_cnt ? cfg->tids : &everybody;
	int *online = NULL, err = 0;
	size_t cnt = cfg->cpu_cnt, i;

	/* Who is made on another CPU than those of -C comes to these, too. */
	if (!ce->ev && cnt && !cfg->tid_cnt)
		err = targets__resolve_cpus(&all, &online, &cnt);
	if (!err)
		err = cnt ? choose_cpus(ce, online ? online : cfg->cpus, cnt)
			  : choose_cpus(ce, &any_cpu, 1);
	free(online);
	if (err)
		return err;
	ce->tid_cnt = cfg->tid_cnt ? cfg->tid_cnt : 1;
	ce->tids = calloc(ce->tid_cnt, sizeof(*ce->tids));
	ce->fds = calloc(cells(ce) ? cells(ce) : 1, sizeof(*ce->fds));
	if (!ce->tids || !ce->fds)
		return -ENOMEM;
	memcpy(ce->tids, tids, ce->tid_cnt * sizeof(*tids));
	for (i = 0; i < cells(ce); i++)
		ce->fds[i] = -1;
	return 0;
}

static int make_events(struct sampling_events *c, const struct sampling_config *cfg)
{
	size_t i, leader = 0;
	bool any_aux = false;
	int err = 0;

	for (i = 0; i < c->cnt && !err; i++) {
		struct sampling_event *ce = &c->events[i], *first = &c->events[leader];

		ce->ev = i + 1 < c->cnt ? cfg->events->events[i] : NULL;
		ce->name = ce->ev ? ce->ev->name : "dummy:u";
		err = lay_out(ce, cfg);
		if (err)
			break;
		ce->has_aux = ce->ev && cfg->aux_sz && sampling_aux__probe(ce->ev);
		any_aux |= ce->has_aux;
		if (!i || !ce->ev || ce->ev->group < 0 || ce->ev->group != first->ev->group ||
		    ce->cpu_cnt != first->cpu_cnt)
			leader = i;
		ce->leader = leader;
		if (!ce->ev)
			sampling_attr__fill_dummy(&ce->attr, cfg, &c->events[0].attr, any_aux);
		else if (ce->has_aux)
			sampling_attr__fill_aux(&ce->attr, ce->ev, cfg, leader != i);
		else
			sampling_attr__fill(&ce->attr, ce->ev, cfg, leader != i,
					    leader != i && c->events[leader].ev->read_group);
	}
	return err;
}

/* Only before the first of an event's cells is open: all have the same attr. */
static bool try_other_attr(struct sampling_event *ce, int err)
{
	if (err == -EACCES && !ce->ev && ce->attr.namespaces) {
		/* The rest is for everybody. */
		ce->attr.namespaces = ce->attr.ksymbol = ce->attr.bpf_event = 0;
		ce->attr.text_poke = 0;
		return true;
	}
	if (err == -EACCES && ce->ev && !ce->attr.exclude_kernel && !ce->ev->exclude_kernel &&
	    !ce->attr.exclude_user && ce->ev->kind != EVENT_TRACEPOINT &&
	    ce->tids[0] != everybody) {
		log_warn("%s is sampled in user space alone: more needs CAP_PERFMON, or sysctl "
			 "kernel.perf_event_paranoid=1",
			 ce->name);
		ce->attr.exclude_kernel = ce->attr.exclude_hv = 1;
		return true;
	}
	if ((err == -EOPNOTSUPP || err == -EINVAL || err == -ENOENT) && ce->ev &&
	    ce->ev->precise_max && ce->attr.precise_ip) {
		ce->attr.precise_ip--;
		return true;
	}
	return err == -EINVAL && sampling_attr__relax(&ce->attr);
}

/* The fd, or -errno. */
static int open_cell(struct sampling_event *ce, const struct sampling_config *cfg, size_t cell,
		     int group_fd, bool settled)
{
	bool of_cgroup = cfg->cgroup_fd >= 0 && ce->ev;
	pid_t pid = of_cgroup ? cfg->cgroup_fd : ce->tids[cell % ce->tid_cnt];
	bool is_alone = cell % ce->tid_cnt + cfg->noinherit_cnt >= ce->tid_cnt;
	struct perf_event_attr attr;
	int fd;

	do {
		attr = ce->attr;
		if (is_alone)
			attr.inherit = 0;
		fd = perf_fd__open(&attr, pid, ce->cpus[cell / ce->tid_cnt], group_fd,
				   of_cgroup ? PERF_FLAG_PID_CGROUP : 0);
	} while (fd < 0 && !settled && try_other_attr(ce, fd));
	return fd;
}

static bool is_gone(int err)
{
	return err == -ESRCH || err == -ENODEV;
}

static int open_event(struct sampling_events *c, size_t idx, const struct sampling_config *cfg)
{
	struct sampling_event *ce = &c->events[idx], *first = &c->events[ce->leader];
	bool settled = false;
	size_t i;
	int fd = 0;

	for (i = 0; i < cells(ce); i++) {
		int group_fd = ce->leader == idx ? -1 : first->fds[i];

		if (ce->leader != idx && group_fd < 0)
			continue;
		fd = open_cell(ce, cfg, i, group_fd, settled);
		if (is_gone(fd))
			continue;
		if (fd < 0) {
			sampling_events__explain(ce->ev, cfg, ce->cpus[i / ce->tid_cnt], fd);
			return fd;
		}
		ce->fds[i] = fd;
		settled = true;
	}
	if (settled || !ce->ev)
		return 0;
	if (!cells(ce))
		log_error("%s counts on none of these CPUs: its PMU has CPUs %s", ce->name,
			  ce->ev->cpus ? ce->ev->cpus : "of its own");
	else
		log_error("%s: all that was to be watched has ended", ce->name);
	return fd < 0 ? fd : -ESRCH;
}

static bool all_count_lost(const struct sampling_events *c)
{
	size_t i;

	for (i = 0; i < c->cnt; i++)
		if (!(c->events[i].attr.read_format & PERF_FORMAT_LOST))
			return false;
	return true;
}

int sampling_events__open(struct sampling_events **cp, const struct sampling_config *cfg)
{
	struct sampling_events *c = calloc(1, sizeof(*c));
	int err = -ENOMEM;
	size_t i;

	*cp = NULL;
	if (c)
		c->events = calloc(cfg->events->cnt + 1, sizeof(*c->events));
	if (c && c->events) {
		c->cnt = cfg->events->cnt + 1;
		err = make_events(c, cfg);
	}
	if (err)
		log_error("cannot open events: %s", strerror(-err));
	for (i = 0; !err && i < c->cnt; i++)
		err = open_event(c, i, cfg);
	if (err) {
		sampling_events__free(c);
		return err;
	}
	c->counts_lost = all_count_lost(c);
	*cp = c;
	return 0;
}

static void close_event(struct sampling_event *ce)
{
	size_t i;

	if (ce->ev && ce->ev->kind == EVENT_TRACEPOINT && ce->fds)
		detach__fds(ce->fds, cells(ce));
	else
		for (i = 0; ce->fds && i < cells(ce); i++)
			if (ce->fds[i] >= 0)
				close(ce->fds[i]);
	free(ce->fds);
	free(ce->cpus);
	free(ce->tids);
}

void sampling_events__free(struct sampling_events *c)
{
	size_t i;

	if (!c)
		return;
	for (i = 0; i < c->cnt; i++)
		close_event(&c->events[i]);
	free(c->events);
	free(c);
}

/* Leaders stand for their groups. */
static int all_leaders(struct sampling_events *c, unsigned long request)
{
	size_t i, j;
	int err = 0;

	for (i = 0; i + 1 < c->cnt; i++) {
		struct sampling_event *ce = &c->events[i];

		for (j = 0; ce->leader == i && j < cells(ce); j++)
			if (ce->fds[j] >= 0 && ioctl(ce->fds[j], request, 0) && !err)
				err = -errno;
	}
	return err;
}

int sampling_events__enable(struct sampling_events *c)
{
	return all_leaders(c, PERF_EVENT_IOC_ENABLE);
}

int sampling_events__disable(struct sampling_events *c)
{
	return all_leaders(c, PERF_EVENT_IOC_DISABLE);
}

uint64_t *sampling_events__ids(const struct sampling_events *c, size_t event, size_t *cnt)
{
	const struct sampling_event *ce = &c->events[event];
	uint64_t *ids = calloc(cells(ce) ? cells(ce) : 1, sizeof(*ids));
	size_t i;

	*cnt = 0;
	for (i = 0; ids && i < cells(ce); i++)
		if (ce->fds[i] >= 0 && ioctl(ce->fds[i], PERF_EVENT_IOC_ID, &ids[*cnt]) == 0)
			++*cnt;
	return ids;
}

uint64_t sampling_events__lost(const struct sampling_events *c, size_t event)
{
	const struct sampling_event *ce = &c->events[event];
	uint64_t lost = 0, one[3], *group;
	size_t i, sz = sizeof(one), at = 2;

	if (!(ce->attr.read_format & PERF_FORMAT_LOST))
		return 0;
	/* Its leader samples for it, and a read of either gives the whole group. */
	if (ce->attr.read_format & PERF_FORMAT_GROUP && ce->leader != event)
		return 0;
	/* value, id, lost; of a group nr, then the same of the leader first */
	if (ce->attr.read_format & PERF_FORMAT_GROUP) {
		sz = sizeof(uint64_t) * (1 + 3 * c->cnt);
		at = 3;
	}
	group = calloc(1, sz);
	for (i = 0; group && i < cells(ce); i++)
		if (ce->fds[i] >= 0 && read(ce->fds[i], group, sz) >= (ssize_t)sizeof(one))
			lost += group[at];
	free(group);
	return lost;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "stat/expected.h"

#include <stdlib.h>

#include "stat/host_machine.h"
#include "event/event.h"
#include "plan/reason.h"
#include "plan/refusal.h"
#include "plan/simulate.h"
#include "perf/perf_counters.h"

struct stat_plan {
	struct plan plan;
	struct sim sim;
	size_t place[PLAN_EVENTS_MAX]; /* by event: its index in the plan; SIZE_MAX: not planned */
	size_t cnt;
};

/* Without counters all events are. */
static bool is_there(const struct perf_counters *c, size_t i)
{
	return !c || perf_counters__refusal(c, i).state == COUNTER_COUNTS;
}

static int fill(struct stat_plan *p, const struct event *const *events, size_t cnt,
		const struct perf_counters *counters, bool by_cpu)
{
	struct event_list list = { .events = calloc(cnt + 1, sizeof(*list.events)) };
	struct event *copies = calloc(cnt + 1, sizeof(*copies));
	size_t i, before;
	int err = -1;

	if (!list.events || !copies || cnt > PLAN_EVENTS_MAX)
		goto cleanup;
	/* The plan already has the NMI watchdog's event. */
	before = p->plan.event_cnt;
	for (i = 0; i < cnt; i++) {
		p->place[i] = is_there(counters, i) ? before + list.cnt : SIZE_MAX;
		if (!is_there(counters, i))
			continue;
		/* The plan refers only to the names, which outlive it. */
		copies[i] = *events[i];
		if (counters && perf_counters__refusal(counters, i).ungrouped)
			copies[i].group = -1;
		list.events[list.cnt++] = &copies[i];
	}
	p->cnt = cnt;
	err = plan__add_list(&p->plan, &list, by_cpu ? PLAN_CTX_CPU : PLAN_CTX_TASK);
cleanup:
	free(copies);
	free(list.events);
	return err;
}

/* Returns the machine, determined once: counters may have to be probed. NULL: unknown. */
static const struct plan_machine *this_machine(void)
{
	static struct plan_machine machine = { .watchdog_counter = -1, .drop_broken = true };
	static enum { UNKNOWN, KNOWN, NOT_TO_BE_KNOWN } state;
	struct host host;

	if (state == UNKNOWN)
		state = host_machine__describe(&host, &machine) ? NOT_TO_BE_KNOWN : KNOWN;
	return state == KNOWN ? &machine : NULL;
}

void stat_plan__learn(void)
{
	this_machine();
}

const char *stat_plan__core_pmu(void)
{
	static struct host host;

	if (!host.pmu[0] && host__find(&host))
		return "cpu";
	return host.pmu;
}

static struct stat_plan *open_plan(const struct event *const *events, size_t cnt,
				   const struct perf_counters *counters, bool by_cpu)
{
	const struct plan_machine *machine = this_machine();
	struct stat_plan *p;

	if (!machine)
		return NULL;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	plan__init(&p->plan, machine);
	if (fill(p, events, cnt, counters, by_cpu)) {
		free(p);
		return NULL;
	}
	plan__open(&p->plan);
	return p;
}

struct stat_plan *stat_plan__new(const struct event *const *events, size_t cnt,
				 const struct perf_counters *counters, bool by_cpu)
{
	const struct sim_run long_run = { .busy = 1 };
	struct stat_plan *p = open_plan(events, cnt, counters, by_cpu);

	if (p)
		sim__run(&p->sim, &p->plan, &long_run);
	return p;
}

bool stat_plan__refusal(const struct event *const *events, size_t cnt, size_t at, bool by_cpu,
			struct strbuf *out)
{
	struct stat_plan *p = open_plan(events, cnt, NULL, by_cpu);
	enum plan_refusal refusal = p ? p->plan.events[p->place[at]].refusal : PLAN_OPENS;
	bool known =
		refusal != PLAN_OPENS && refusal != PLAN_GROUP_FULL && refusal != PLAN_LEADER_GONE;

	if (known)
		refusal__put(&p->plan, p->place[at], out);
	stat_plan__free(p);
	return known;
}

void stat_plan__free(struct stat_plan *p)
{
	free(p);
}

bool stat_plan__reason(const struct stat_plan *p, size_t at, bool ran, struct strbuf *out)
{
	enum sim_state state;

	if (at >= p->cnt || p->place[at] == SIZE_MAX)
		return false;
	state = p->sim.events[p->place[at]].state;
	if (ran ? state != SIM_TURNS : state != SIM_NOT_COUNTED && state != SIM_PINNED_ERROR)
		return false;
	reason__put(&p->plan, &p->sim, p->place[at], out);
	return true;
}

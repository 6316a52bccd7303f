// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/regroup.h"

#include <stdlib.h>
#include <string.h>

#include "plan/schedule.h"

/* A unit must be in one run: a group, or a single event. */
struct unit {
	uint8_t first, cnt;
	bool exclusive;
};

struct regrouper {
	const struct plan *plan;
	struct regroup *re;
	struct unit units[PLAN_EVENTS_MAX];
	size_t unit_cnt;
};

static size_t put_events(const struct regrouper *rg, size_t unit, uint8_t *events, size_t cnt)
{
	const struct unit *u = &rg->units[unit];
	size_t i;

	for (i = 0; i < u->cnt; i++)
		events[cnt++] = (uint8_t)(u->first + i);
	return cnt;
}

static bool fits_alone(const struct plan *plan, size_t first, size_t cnt)
{
	uint8_t events[PLAN_EVENTS_MAX];
	size_t i;

	for (i = 0; i < cnt; i++) {
		events[i] = (uint8_t)(first + i);
		if (plan->events[first + i].refusal)
			return false;
	}
	return schedule__fits(plan, events, cnt, true);
}

/* A single event: its group may have been too large. */
static bool can_be_counted(const struct plan *plan, size_t at)
{
	const struct plan_event *ev = &plan->events[at];
	uint8_t event = (uint8_t)at;

	if (!ev->is_hw || plan__is_disabled(plan, at))
		return true;
	if (ev->no_event || ev->absent || ev->flags & RULE_BLACKLISTED)
		return false;
	/* It is refused alone, too; a metric's slots are not added. */
	if (ev->refusal && ev->refusal != PLAN_GROUP_FULL && ev->refusal != PLAN_LEADER_GONE)
		return false;
	return schedule__fits(plan, &event, 1, true);
}

static void add_unit(struct regrouper *rg, size_t first, size_t cnt, bool exclusive)
{
	rg->units[rg->unit_cnt++] = (struct unit){ (uint8_t)first, (uint8_t)cnt, exclusive };
}

static void add_group(struct regrouper *rg, size_t at)
{
	const struct plan_group *group = &rg->plan->groups[at];
	size_t i;

	if (!group->is_hw && !group->broken)
		return;
	if (fits_alone(rg->plan, group->first, group->cnt)) {
		add_unit(rg, group->first, group->cnt, group->exclusive);
		return;
	}
	rg->re->split[at] = group->cnt > 1;
	for (i = group->first; i < group->first + group->cnt; i++) {
		if (!can_be_counted(rg->plan, i))
			rg->re->run[i] = REGROUP_NEVER;
		else if (rg->plan->events[i].is_hw && !plan__is_disabled(rg->plan, i))
			add_unit(rg, i, 1, group->exclusive);
	}
}

static bool units_fit(const struct regrouper *rg, unsigned int set)
{
	uint8_t events[PLAN_EVENTS_MAX];
	size_t cnt = 0, i;
	bool exclusive = false;

	for (i = 0; i < rg->unit_cnt; i++) {
		if (!(set & 1u << i))
			continue;
		exclusive |= rg->units[i].exclusive;
		cnt = put_events(rg, i, events, cnt);
	}
	if (exclusive && set & (set - 1))
		return false;
	return schedule__fits(rg->plan, events, cnt, true);
}

static void assign_run(struct regrouper *rg, size_t unit, size_t run)
{
	size_t i;

	for (i = 0; i < rg->units[unit].cnt; i++)
		rg->re->run[rg->units[unit].first + i] = (uint8_t)run;
}

/* True if the first unit that is in only one of the two sets is in `a`. */
static bool is_earlier(unsigned int a, unsigned int b)
{
	unsigned int differ = a ^ b;

	return a & differ & -differ;
}

/*
 * The fewest sets that cover all units, computed over sets of units: runs[S] is one more than the
 * minimum of runs[S without T] over all T of S that fit and contain S's lowest unit. 3^15 steps.
 * Among equal solutions, the first runs take the events named first.
 */
static bool find_exact(struct regrouper *rg)
{
	unsigned int all = (1u << rg->unit_cnt) - 1, set, part;
	uint16_t *last = calloc(all + 1, sizeof(*last));
	uint8_t *runs = calloc(all + 1, 1), *fits = calloc(all + 1, 1);
	bool done = last && runs && fits;
	size_t i;

	for (set = 1; done && set <= all; set++) {
		unsigned int lowest = set & -set, rest = set ^ lowest;

		fits[set] = units_fit(rg, set);
		runs[set] = UINT8_MAX;
		for (part = rest;; part = (part - 1) & rest) {
			unsigned int run_cnt = runs[rest ^ part] + 1u;

			if (fits[part | lowest] &&
			    (run_cnt < runs[set] ||
			     (run_cnt == runs[set] && is_earlier(part | lowest, last[set])))) {
				runs[set] = (uint8_t)run_cnt;
				last[set] = (uint16_t)(part | lowest);
			}
			if (!part)
				break;
		}
	}
	for (set = all; done && set; set ^= last[set]) {
		for (i = 0; i < rg->unit_cnt; i++)
			if (last[set] & 1u << i)
				assign_run(rg, i, rg->re->run_cnt);
		rg->re->run_cnt++;
	}
	free(last);
	free(runs);
	free(fits);
	return done;
}

static bool has_exclusive(const struct plan *plan, const uint8_t *events, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		if (plan->groups[plan->events[events[i]].group].exclusive)
			return true;
	return false;
}

/* Puts each unit into the first run where it fits; the largest units go first. */
static void find_first_fit(struct regrouper *rg)
{
	size_t size, i, run;

	for (size = PLAN_EVENTS_MAX; size; size--) {
		for (i = 0; i < rg->unit_cnt; i++) {
			if (rg->units[i].cnt != size)
				continue;
			for (run = 0; run < rg->re->run_cnt; run++) {
				uint8_t events[PLAN_EVENTS_MAX];
				size_t cnt = put_events(rg, i, events, 0), j;

				for (j = 0; j < rg->plan->event_cnt; j++)
					if (rg->re->run[j] == run + 1)
						events[cnt++] = (uint8_t)j;
				if (!has_exclusive(rg->plan, events, cnt) &&
				    schedule__fits(rg->plan, events, cnt, true))
					break;
			}
			/* run index plus one until all are placed: 0 is unplaced */
			assign_run(rg, i, run + 1);
			if (run == rg->re->run_cnt)
				rg->re->run_cnt++;
		}
	}
	for (i = 0; i < rg->plan->event_cnt; i++)
		if (rg->re->run[i] && rg->re->run[i] != REGROUP_NEVER)
			rg->re->run[i]--;
}

void regroup__find(struct regroup *re, const struct plan *plan)
{
	struct regrouper rg = { .plan = plan, .re = re };
	size_t i;

	memset(re, 0, sizeof(*re));
	for (i = 0; i < plan->group_cnt; i++)
		if (!plan->events[plan->groups[i].first].is_watchdog)
			add_group(&rg, i);
	re->exact = rg.unit_cnt <= REGROUP_EXACT_MAX && find_exact(&rg);
	if (!re->exact)
		find_first_fit(&rg);
	/* Software events alone need a run as well. */
	for (i = 0; i < plan->event_cnt && !re->run_cnt; i++)
		if (!plan->events[i].is_watchdog && re->run[i] != REGROUP_NEVER)
			re->run_cnt = 1;
}

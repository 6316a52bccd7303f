// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/schedule.h"

#include <string.h>

#include "plan/assign.h"
#include "plan/extra.h"
#include "plan/quirks.h"

/* From this version on a pinned group that fails keeps later pinned ones from being tried. */
#define PINNED_STOPS KERNEL_RC(5, 6, 1)

/* The PMU while it is being filled. */
struct filling {
	struct schedule *sched;
	uint8_t on[ASSIGN_MAX]; /* events in the order of arrival */
	size_t on_cnt;
	size_t hw_groups_on;
	bool exclusive; /* the PMU is occupied by an exclusive group */
};

void schedule__init(struct schedule *sched, const struct plan *plan)
{
	memset(sched, 0, sizeof(*sched));
	sched->plan = plan;
}

/* Finds counters for all of `on`; *stuck: index into it of the event without a counter. */
static int place(const struct plan *plan, const struct plan_machine *machine, const uint8_t *on,
		 size_t cnt, int8_t *counter, size_t *stuck)
{
	struct assign_how how = assign__how(machine->model, machine->kernel);
	struct assign_event events[ASSIGN_MAX];
	struct extra_regs extra = { 0 };
	bool corrupting = false;
	size_t i;

	for (i = 0; i < cnt; i++) {
		const struct plan_event *ev = &plan->events[on[i]];
		unsigned int flags = ev->rule ? ev->rule->flags : 0;

		events[i].counters = quirks__beside_sibling(machine, ev);
		if (!extra__take(machine->model, &extra, ev))
			events[i].counters = 0;
		events[i].overlap = flags & RULE_OVERLAP;
		corrupting |= !!(flags & RULE_CORRUPTING);
	}
	quirks__limit(machine, corrupting, &how);
	return assign__place(&how, events, cnt, counter, stuck);
}

/* Puts the group on the PMU if there is room: true. */
static bool group_goes_on(struct filling *fill, size_t at)
{
	struct schedule *sched = fill->sched;
	const struct plan *plan = sched->plan;
	const struct plan_group *group = &plan->groups[at];
	struct plan_machine machine = plan->machine;
	size_t cnt = fill->on_cnt, i, stuck = 0;
	int8_t counter[ASSIGN_MAX];

	if (sched->sibling_idle)
		machine.sibling_corrupting = machine.sibling_other = 0;
	for (i = group->first; i < group->first + group->cnt; i++)
		if (plan->events[i].is_hw && !plan->events[i].refusal)
			fill->on[cnt++] = (uint8_t)i;
	if (place(plan, &machine, fill->on, cnt, counter, &stuck)) {
		sched->stuck[at] = fill->on[stuck];
		return false;
	}
	fill->on_cnt = cnt;
	for (i = 0; i < cnt; i++)
		sched->counter[fill->on[i]] = counter[i];
	fill->hw_groups_on++;
	fill->exclusive |= group->exclusive;
	return true;
}

/* kernel: group_can_go_on() and what follows it. `stopped`: a group before it failed. */
static void try_group(struct filling *fill, size_t at, bool *stopped)
{
	const struct plan_group *group = &fill->sched->plan->groups[at];
	uint8_t *state = &fill->sched->state[at];

	if (!group->is_hw) {
		*state = GROUP_ON;
	} else if (*stopped) {
		*state = GROUP_BEHIND;
	} else if (fill->exclusive || (group->exclusive && fill->hw_groups_on) ||
		   !group_goes_on(fill, at)) {
		*state = GROUP_FAILED;
		*stopped = true;
	} else {
		*state = GROUP_ON;
	}
}

static void run_pinned(struct filling *fill, enum plan_ctx ctx)
{
	struct schedule *sched = fill->sched;
	const struct plan *plan = sched->plan;
	bool stopped = false;
	size_t i;

	for (i = 0; i < plan->group_cnt; i++) {
		const struct plan_group *group = &plan->groups[i];

		if (group->ctx != ctx || (group->is_hw && !group->pinned) || group->gone ||
		    plan->events[group->first].refusal)
			continue;
		if (sched->error[i]) {
			sched->state[i] = GROUP_ERROR;
			continue;
		}
		try_group(fill, i, &stopped);
		if (sched->state[i] != GROUP_ON) {
			sched->error[i] = true;
			sched->state[i] = GROUP_ERROR;
		}
		if (plan->machine.kernel < PINNED_STOPS)
			stopped = false;
	}
}

static void run_flexible(struct filling *fill, enum plan_ctx ctx)
{
	struct schedule *sched = fill->sched;
	const struct plan *plan = sched->plan;
	size_t cnt = plan->flexible_cnt[ctx], i;
	bool stopped = false;

	for (i = 0; i < cnt; i++)
		try_group(fill, plan->flexible[ctx][(sched->head[ctx] + i) % cnt], &stopped);
	sched->rotate[ctx] = stopped;
}

void schedule__run(struct schedule *sched, bool task_runs)
{
	struct filling fill = { .sched = sched };

	memset(sched->state, GROUP_OFF, sizeof(sched->state));
	memset(sched->counter, -1, sizeof(sched->counter));
	memset(sched->stuck, -1, sizeof(sched->stuck));
	memset(sched->rotate, 0, sizeof(sched->rotate));
	run_pinned(&fill, PLAN_CTX_CPU);
	if (task_runs)
		run_pinned(&fill, PLAN_CTX_TASK);
	run_flexible(&fill, PLAN_CTX_CPU);
	if (task_runs)
		run_flexible(&fill, PLAN_CTX_TASK);
}

void schedule__rotate(struct schedule *sched)
{
	enum plan_ctx ctx;

	for (ctx = 0; ctx < PLAN_CTX_CNT; ctx++)
		if (sched->rotate[ctx])
			sched->head[ctx] = (sched->head[ctx] + 1) % sched->plan->flexible_cnt[ctx];
}

bool schedule__fits(const struct plan *plan, const uint8_t *events, size_t cnt, bool with_watchdog)
{
	uint8_t on[ASSIGN_MAX];
	int8_t counter[ASSIGN_MAX];
	size_t on_cnt = 0, i, stuck;

	for (i = 0; with_watchdog && i < plan->event_cnt; i++)
		if (plan->events[i].is_watchdog && !plan->events[i].refusal)
			on[on_cnt++] = (uint8_t)i;
	for (i = 0; i < cnt && on_cnt < ASSIGN_MAX; i++)
		if (plan->events[events[i]].is_hw)
			on[on_cnt++] = events[i];
	if (place(plan, &plan->machine, on, on_cnt, counter, &stuck))
		return false;
	for (i = 0; i < on_cnt; i++)
		if (!(plan->events[on[i]].real & COUNTER_BIT(counter[i])))
			return false;
	return true;
}

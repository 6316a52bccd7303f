// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/schedule.h"

#include <errno.h>
#include <string.h>

#include "plan/assign.h"
#include "plan/extra.h"
#include "plan/quirks.h"

/* From this version on a pinned group that fails keeps later pinned ones from being tried. */
#define PINNED_STOPS KERNEL_RC(5, 6, 1)
/* From this version on an exclusive group shares the PMU with those that are not of its list. */
#define EXCLUSIVE_OF_LIST KERNEL_RC(5, 11, 1)
/* From this version on only the lists that need it are taken off and rotated. */
#define ROTATES_ALONE KERNEL_RC(4, 17, 1)
/* From this version on a task without pinned groups leaves the CPU's flexible ones alone. */
#define SWITCHES_ALONE KERNEL_RC(4, 11, 1)
/* From this version on events stay on their last counters if they can. */
#define KEEPS_COUNTERS KERNEL_RC(2, 6, 34)

/* The PMU while it is being filled. */
struct filling {
	struct schedule *sched;
	uint8_t on[ASSIGN_MAX]; /* events in the order of arrival */
	size_t on_cnt;
	size_t hw_groups_on, list_groups_on; /* on the PMU; of the list that is being tried */
	bool exclusive; /* the PMU is occupied by an exclusive group */
};

void schedule__init(struct schedule *sched, const struct plan *plan)
{
	memset(sched, 0, sizeof(*sched));
	sched->plan = plan;
	sched->enabled_cnt = plan->group_cnt;
	memset(sched->last, -1, sizeof(sched->last));
	memset(sched->counter, -1, sizeof(sched->counter));
}

/*
 * A counter of the northbridge is taken by the event alone, before any are assigned: the one it had
 * last if that is free, else the first free one (kernel: __amd_get_nb_event_constraints()).
 */
static uint64_t take_northbridge(uint64_t counters, int last, uint64_t *taken)
{
	uint64_t left = counters & ~*taken;

	if (last >= 0 && left & COUNTER_BIT(last))
		left = COUNTER_BIT(last);
	left &= -left;
	*taken |= left;
	return left;
}

/* Its counters once the kernel has given it its like's code, with another register. */
static uint64_t counters_as(const struct plan_machine *machine, const struct plan_event *ev,
			    uint64_t code)
{
	struct plan_event like = *ev;

	like.code = code;
	quirks__constrain(machine, &like);
	return quirks__beside_sibling(machine, &like);
}

/*
 * Finds out what each of `on` may use now, in the order of arrival; returns the kernel's limits for
 * them.
 */
static struct assign_how constrain(const struct plan *plan, const struct plan_machine *machine,
				   const uint8_t *on, size_t cnt, const int8_t *last,
				   uint8_t *likes, struct assign_event *events)
{
	struct assign_how how = quirks__how(machine);
	struct extra_regs extra = { 0 };
	uint64_t northbridge = machine->northbridge;
	unsigned int pair_cnt = 0;
	bool corrupting = false;
	uint64_t code;
	size_t i;

	extra__share(machine, &extra);
	for (i = 0; i < cnt; i++) {
		const struct plan_event *ev = &plan->events[on[i]];

		events[i].counters = quirks__beside_sibling(machine, ev);
		if (ev->flags & RULE_NORTHBRIDGE)
			events[i].counters =
				take_northbridge(events[i].counters, last[i], &northbridge);
		if (!extra__take(machine, &extra, ev, &code, &likes[on[i]]))
			events[i].counters = 0;
		else if (code != ev->code)
			events[i].counters = counters_as(machine, ev, code);
		events[i].overlap = ev->flags & RULE_OVERLAP;
		events[i].pair = ev->flags & RULE_PAIR;
		pair_cnt += events[i].pair;
		corrupting |= !!(ev->flags & RULE_CORRUPTING);
	}
	quirks__limit(machine, corrupting, &how);
	if (how.general_max && pair_cnt)
		how.general_max = how.general_max > pair_cnt ? how.general_max - pair_cnt : 1;
	return how;
}

/*
 * Finds counters for all of `on`; *stuck: index into it of the event without a counter. last: by
 * index into `on`, the counters that they had. likes: schedule.likes.
 */
static int place(const struct plan *plan, const struct plan_machine *machine, const uint8_t *on,
		 size_t cnt, const int8_t *last, uint8_t *likes, int8_t *counter, size_t *stuck)
{
	struct assign_event events[ASSIGN_MAX];
	struct assign_how how = constrain(plan, machine, on, cnt, last, likes, events);

	/* 4.1-rc1 … -rc6 give the events above the limit no counter before they look for one. */
	if (how.total_max && cnt > how.total_max) {
		*stuck = how.total_max;
		return -EAGAIN;
	}
	/* An uncore event that is taken off forgets its counter (uncore_pmu_event_del()). */
	if (how.policy == POLICY_WEIGHT && machine->kernel >= KEEPS_COUNTERS &&
	    !machine->model->uncore && assign__keep(events, cnt, last, counter))
		return 0;
	return assign__place(&how, events, cnt, counter, stuck);
}

static bool needs_counter(const struct plan_event *ev)
{
	return ev->is_hw && !ev->refusal && !ev->disabled;
}

/* Puts the group on the PMU if there is room: true. */
static bool group_goes_on(struct filling *fill, size_t at)
{
	struct schedule *sched = fill->sched;
	const struct plan *plan = sched->plan;
	const struct plan_group *group = &plan->groups[at];
	struct plan_machine machine = plan->machine;
	size_t cnt = fill->on_cnt, i, stuck = 0;
	int8_t counter[ASSIGN_MAX], last[ASSIGN_MAX] = { 0 };

	if (sched->sibling_idle) {
		machine.sibling_corrupting = machine.sibling_other = 0;
		machine.sibling_offcore_cnt = 0;
	}
	for (i = group->first; i < group->first + group->cnt; i++)
		if (needs_counter(&plan->events[i]))
			fill->on[cnt++] = (uint8_t)i;
	for (i = 0; i < cnt; i++)
		last[i] = sched->last[fill->on[i]];
	if (place(plan, &machine, fill->on, cnt, last, sched->likes, counter, &stuck)) {
		sched->stuck[at] = fill->on[stuck];
		return false;
	}
	fill->on_cnt = cnt;
	for (i = 0; i < cnt; i++)
		sched->counter[fill->on[i]] = counter[i];
	fill->hw_groups_on++;
	fill->list_groups_on++;
	fill->exclusive |= group->exclusive;
	return true;
}

/* An exclusive group is on, or this one is and cannot be alone. */
static bool is_excluded(const struct filling *fill, const struct plan_group *group)
{
	if (fill->exclusive)
		return true;
	if (fill->sched->plan->machine.kernel < EXCLUSIVE_OF_LIST)
		return group->exclusive && fill->hw_groups_on;
	return group->exclusive && fill->list_groups_on;
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
	} else if (is_excluded(fill, group) || !group_goes_on(fill, at)) {
		*state = GROUP_FAILED;
		*stopped = true;
	} else {
		*state = GROUP_ON;
	}
}

static bool is_tried(const struct schedule *sched, size_t at)
{
	return at < sched->enabled_cnt &&
	       !sched->plan->events[sched->plan->groups[at].first].disabled;
}

static void run_pinned(struct filling *fill, enum plan_ctx ctx)
{
	struct schedule *sched = fill->sched;
	const struct plan *plan = sched->plan;
	bool stopped = false;
	size_t i;

	fill->list_groups_on = 0;
	for (i = 0; i < plan->group_cnt; i++) {
		const struct plan_group *group = &plan->groups[i];

		if (group->ctx != ctx || (group->is_hw && !group->pinned) || group->gone ||
		    plan->events[group->first].refusal || !is_tried(sched, i))
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

	fill->list_groups_on = 0;
	for (i = 0; i < cnt; i++) {
		size_t at = plan->flexible[ctx][(sched->head[ctx] + i) % cnt];

		if (is_tried(sched, at))
			try_group(fill, at, &stopped);
	}
	sched->rotate[ctx] = stopped;
}

/* Only those of the list that were on before come on again, as if they had never left. */
static void keep_flexible(struct filling *fill, const struct schedule *before, enum plan_ctx ctx)
{
	struct schedule *sched = fill->sched;
	const struct plan *plan = sched->plan;
	size_t cnt = plan->flexible_cnt[ctx], i;

	fill->list_groups_on = 0;
	for (i = 0; i < cnt; i++) {
		size_t at = plan->flexible[ctx][(sched->head[ctx] + i) % cnt];
		bool stopped = false;

		sched->state[at] = before->state[at];
		sched->stuck[at] = before->stuck[at];
		if (before->state[at] == GROUP_ON)
			try_group(fill, at, &stopped);
	}
	sched->rotate[ctx] = before->rotate[ctx];
}

void schedule__run(struct schedule *sched, bool task_runs, bool keep_cpu)
{
	struct filling fill = { .sched = sched };
	struct schedule before = *sched;
	size_t i;

	memset(sched->state, GROUP_OFF, sizeof(sched->state));
	memset(sched->counter, -1, sizeof(sched->counter));
	memset(sched->stuck, -1, sizeof(sched->stuck));
	memset(sched->rotate, 0, sizeof(sched->rotate));
	run_pinned(&fill, PLAN_CTX_CPU);
	if (task_runs)
		run_pinned(&fill, PLAN_CTX_TASK);
	if (keep_cpu)
		keep_flexible(&fill, &before, PLAN_CTX_CPU);
	else
		run_flexible(&fill, PLAN_CTX_CPU);
	if (task_runs)
		run_flexible(&fill, PLAN_CTX_TASK);
	/* kernel: x86_assign_hw_event(), once all groups have been added. */
	for (i = 0; i < fill.on_cnt; i++)
		sched->last[fill.on[i]] = sched->counter[fill.on[i]];
}

static void rotate_list(struct schedule *sched, enum plan_ctx ctx)
{
	if (sched->plan->flexible_cnt[ctx])
		sched->head[ctx] = (sched->head[ctx] + 1) % sched->plan->flexible_cnt[ctx];
}

void schedule__rotate(struct schedule *sched, bool task_runs)
{
	bool both = sched->plan->machine.kernel < ROTATES_ALONE &&
		    (sched->rotate[PLAN_CTX_CPU] || sched->rotate[PLAN_CTX_TASK]);
	bool cpu = both || sched->rotate[PLAN_CTX_CPU];

	if (cpu)
		rotate_list(sched, PLAN_CTX_CPU);
	if (sched->rotate[PLAN_CTX_TASK] || (both && task_runs))
		rotate_list(sched, PLAN_CTX_TASK);
	schedule__run(sched, task_runs, !cpu);
}

static bool has_pinned(const struct plan *plan, enum plan_ctx ctx)
{
	size_t i;

	for (i = 0; i < plan->group_cnt; i++)
		if (plan->groups[i].ctx == ctx && plan->groups[i].pinned && !plan->groups[i].gone &&
		    !plan->events[plan->groups[i].first].refusal)
			return true;
	return false;
}

void schedule__switch(struct schedule *sched, bool task_runs)
{
	bool takes_off = sched->plan->machine.kernel < SWITCHES_ALONE ||
			 has_pinned(sched->plan, PLAN_CTX_TASK);

	schedule__run(sched, task_runs, !(task_runs && takes_off));
}

bool schedule__equals(const struct schedule *a, const struct schedule *b)
{
	return !memcmp(a->head, b->head, sizeof(a->head)) &&
	       !memcmp(a->last, b->last, sizeof(a->last)) &&
	       !memcmp(a->likes, b->likes, sizeof(a->likes)) &&
	       !memcmp(a->error, b->error, sizeof(a->error)) &&
	       !memcmp(a->state, b->state, sizeof(a->state));
}

bool schedule__fits(const struct plan *plan, const uint8_t *events, size_t cnt, bool with_watchdog)
{
	uint8_t on[ASSIGN_MAX], likes[PLAN_EVENTS_MAX] = { 0 };
	int8_t counter[ASSIGN_MAX], last[ASSIGN_MAX];
	size_t on_cnt = 0, i, stuck;

	for (i = 0; with_watchdog && i < plan->event_cnt; i++)
		if (plan->events[i].is_watchdog && !plan->events[i].refusal)
			on[on_cnt++] = (uint8_t)i;
	for (i = 0; i < cnt && on_cnt < ASSIGN_MAX; i++)
		if (plan->events[events[i]].is_hw)
			on[on_cnt++] = events[i];
	memset(last, -1, sizeof(last));
	if (place(plan, &plan->machine, on, on_cnt, last, likes, counter, &stuck))
		return false;
	for (i = 0; i < on_cnt; i++)
		if (!(plan->events[on[i]].real & COUNTER_BIT(counter[i])))
			return false;
	return true;
}

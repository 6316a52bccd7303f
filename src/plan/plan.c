// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/plan.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "event/event.h"
#include "plan/group.h"
#include "plan/precise.h"
#include "plan/quirks.h"

static void add_watchdog(struct plan *plan)
{
	struct plan_group *group = plan__add_group(plan, PLAN_CTX_CPU);
	struct plan_event *ev =
		plan__add_hw(plan, "NMI watchdog", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0);

	group->pinned = true;
	ev->is_watchdog = true;
	if (plan->machine.watchdog_counter >= 0)
		ev->counters = COUNTER_BIT(plan->machine.watchdog_counter);
}

void plan__init(struct plan *plan, const struct plan_machine *machine)
{
	memset(plan, 0, sizeof(*plan));
	plan->machine = *machine;
	if (!plan->machine.mux_ns)
		plan->machine.mux_ns = PLAN_MUX_NS;
	if (machine->watchdog)
		add_watchdog(plan);
}

struct plan_group *plan__add_group(struct plan *plan, enum plan_ctx ctx)
{
	struct plan_group *group;

	if (plan->group_cnt == PLAN_EVENTS_MAX)
		return NULL;
	group = &plan->groups[plan->group_cnt++];
	*group = (struct plan_group){ .first = plan->event_cnt, .ctx = ctx };
	return group;
}

struct plan_event *plan__add_sw(struct plan *plan, const char *name)
{
	struct plan_event *ev;

	if (plan->event_cnt == PLAN_EVENTS_MAX || !plan->group_cnt)
		return NULL;
	ev = &plan->events[plan->event_cnt++];
	*ev = (struct plan_event){ .name = name, .group = (int)plan->group_cnt - 1 };
	plan->groups[plan->group_cnt - 1].cnt++;
	return ev;
}

struct plan_event *plan__add_hw(struct plan *plan, const char *name, uint32_t type, uint64_t config,
				uint64_t config1)
{
	struct plan_event *ev = plan__add_sw(plan, name);

	if (!ev)
		return NULL;
	ev->is_hw = true;
	ev->config1 = config1;
	ev->is_raw = type != PERF_TYPE_HARDWARE && type != PERF_TYPE_HW_CACHE;
	ev->no_event = model__code(plan->machine.model, plan->machine.kernel, type, config,
				   &ev->code, &ev->config1) != 0;
	if (ev->no_event)
		return ev;
	quirks__constrain(&plan->machine, ev);
	ev->unlisted = ev->is_raw && !model__announces(plan->machine.model, ev->code);
	return ev;
}

/*
 * :P is as precise as the PMU can be; commands try less where the kernel refuses it. Events of
 * AMD's IBS are another PMU's.
 */
static void set_precise(const struct plan_machine *machine, struct plan_event *ev,
			const struct event *from)
{
	const struct precise_rules *pr = machine->model->precise;

	if (!pr || !(from->precise_ip || from->precise_max))
		return;
	ev->precise = from->precise_max ? pr->max : from->precise_ip;
	quirks__constrain(machine, ev);
	while (from->precise_max && ev->precise && group__check_precise(machine, ev)) {
		ev->precise--;
		quirks__constrain(machine, ev);
	}
	if (ev->precise && precise__is_ibs(machine->model, ev->code))
		ev->is_hw = group__check_precise(machine, ev) != PLAN_OPENS;
}

/* Events of other PMUs have their own counters: none of the planned events competes with them. */
static int add_event(struct plan *plan, const struct event *from)
{
	struct plan_event *ev;

	if (!event__is_hw(from)) {
		ev = plan__add_sw(plan, from->name);
	} else {
		uint32_t type = from->kind == EVENT_PMU ? PERF_TYPE_RAW : from->type;

		ev = plan__add_hw(plan, from->name, type, from->config, from->config1);
		if (ev && !ev->no_event)
			set_precise(&plan->machine, ev, from);
		if (ev) {
			ev->config2 = from->config2;
			ev->excludes = from->exclude_user || from->exclude_kernel ||
				       from->exclude_hv || from->exclude_host ||
				       from->exclude_guest || from->exclude_idle;
		}
	}
	return ev ? 0 : -E2BIG;
}

int plan__add_list(struct plan *plan, const struct event_list *list, enum plan_ctx ctx)
{
	size_t i;
	int last = -1, err = 0;

	for (i = 0; i < list->cnt && !err; i++) {
		const struct event *from = list->events[i];

		if (from->group < 0 || from->group != last) {
			struct plan_group *group = plan__add_group(plan, ctx);

			if (!group)
				return -E2BIG;
			/* Its leader carries the attributes of the group. */
			group->pinned = from->pinned;
			group->exclusive = from->exclusive;
			group->weak = from->weak_group;
			group->braces = from->group >= 0;
			group->mods = from->group_mods;
		}
		last = from->group;
		err = add_event(plan, from);
	}
	return err;
}

size_t plan__disable(struct plan *plan, const char *name)
{
	size_t len = strlen(name), cnt = 0, i;

	for (i = 0; i < plan->event_cnt; i++) {
		struct plan_event *ev = &plan->events[i];

		if (ev->is_watchdog || strncmp(ev->name, name, len) ||
		    (ev->name[len] && !strchr(":/", ev->name[len])))
			continue;
		ev->disabled = true;
		cnt++;
	}
	return cnt;
}

bool plan__is_disabled(const struct plan *plan, size_t at)
{
	const struct plan_event *ev = &plan->events[at];

	return ev->disabled || plan->events[plan->groups[ev->group].first].disabled;
}

/* A weak group that was refused is opened again as single events, as perf does. */
static void split(struct plan *plan, size_t at)
{
	struct plan_group whole = plan->groups[at];
	size_t more = whole.cnt - 1, i;

	if (plan->group_cnt + more > PLAN_EVENTS_MAX)
		return;
	memmove(&plan->groups[at + whole.cnt], &plan->groups[at + 1],
		(plan->group_cnt - at - 1) * sizeof(plan->groups[0]));
	plan->group_cnt += more;
	for (i = 0; i < whole.cnt; i++) {
		plan->groups[at + i] = whole;
		plan->groups[at + i].first = whole.first + i;
		plan->groups[at + i].cnt = 1;
		plan->groups[at + i].weak = plan->groups[at + i].braces = false;
	}
	for (i = whole.first; i < plan->event_cnt; i++)
		plan->events[i].group +=
			(int)(i < whole.first + whole.cnt ? i - whole.first : more);
}

void plan__open(struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->group_cnt; i++) {
		group__open(plan, i);
		if (plan->groups[i].broken && plan->groups[i].weak && plan->groups[i].cnt > 1) {
			split(plan, i);
			group__open(plan, i);
		}
	}
	for (i = 0; i < plan->group_cnt; i++) {
		struct plan_group *group = &plan->groups[i];

		group->gone = group->broken && plan->machine.drop_broken;
		group->is_hw &= !group->gone;
		if (group->is_hw && !group->pinned && !plan->events[group->first].disabled)
			plan->flexible[group->ctx][plan->flexible_cnt[group->ctx]++] = (uint8_t)i;
	}
}

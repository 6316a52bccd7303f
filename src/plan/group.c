// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/group.h"

#include "plan/assign.h"
#include "plan/extra.h"
#include "plan/plan.h"
#include "plan/precise.h"
#include "plan/quirks.h"
#include "plan/uncore.h"

/* The pseudo code of TOPDOWN.SLOTS, which metrics are computed from (kernel: INTEL_TD_SLOTS). */
#define SLOTS 0x0400
/* The pseudo codes of topdown metrics (kernel: INTEL_TD_METRIC_RETIRING and up). */
#define METRIC_FIRST 0x8000
#define METRIC_LAST 0x8700
/* in_tx, in_tx_cp; any */
#define IN_TX_BITS (3ull << 32)
#define ANY_THREAD (1ull << 21)
/* From this version on a precise event that does not sample is refused. */
#define COUNTS_NOT_PRECISE KERNEL_RC(4, 10, 4)

/* kernel: x86_pmu_extra_regs(). config1 of a cache event is only a number of ours. */
static bool has_bad_bits(const struct plan_machine *machine, const struct plan_event *ev)
{
	const struct model_extra *extra =
		ev->is_raw ? model__extra(machine->model, ev->code, machine->kernel) : NULL;

	return extra && !model__takes(extra, ev->config1, machine->kernel);
}

/* kernel: is_topdown_event(), intel_pmu_hw_config() */
static bool is_modified_topdown(const struct model *model, const struct plan_event *ev)
{
	uint64_t code = ev->code & 0xffff;
	bool topdown =
		code == SLOTS || (!(code & 0xff) && code >= METRIC_FIRST && code <= METRIC_LAST);

	return model->fixed >> COUNTER_METRIC && ev->is_raw && topdown && ev->code & CODE_MODIFIERS;
}

/* kernel: hsw_hw_config() */
static bool is_mixed_tx(const struct plan_machine *machine, const struct plan_event *ev)
{
	return machine->model->has_tsx && !machine->no_tsx && ev->code & IN_TX_BITS &&
	       (ev->precise || ev->code & ANY_THREAD);
}

/* kernel: x86_pmu_hw_config(), intel_pebs_constraints(), perf_ibs_precise_event() */
enum plan_refusal group__check_precise(const struct plan_machine *machine,
				       const struct plan_event *ev)
{
	const struct precise_rules *pr = machine->model->precise;

	if (pr->ibs && !precise__is_ibs(machine->model, ev->code))
		return PLAN_NOT_PRECISE;
	if (!machine->samples && (pr->ibs || machine->kernel >= COUNTS_NOT_PRECISE))
		return PLAN_PRECISE_COUNTS;
	if (ev->precise > pr->max)
		return PLAN_TOO_PRECISE;
	return ev->counters ? PLAN_OPENS : PLAN_NOT_PRECISE;
}

/*
 * Checks the event itself, before its group (for metrics: kernel: intel_pmu_hw_config()).
 */
static enum plan_refusal check_alone(const struct plan_machine *machine,
				     const struct plan_event *ev, const struct plan_event *leader,
				     enum plan_ctx ctx)
{
	if (!ev->is_hw)
		return PLAN_OPENS;
	if (ev->no_event)
		return PLAN_NO_EVENT;
	if (ev->absent)
		return PLAN_REFUSED_HERE;
	if (machine->model->uncore && uncore__check(machine, ev, ctx))
		return uncore__check(machine, ev, ctx);
	if (ev->flags & RULE_BLACKLISTED)
		return PLAN_BLACKLISTED;
	if (is_modified_topdown(machine->model, ev))
		return PLAN_TOPDOWN_PLAIN;
	if (is_mixed_tx(machine, ev))
		return PLAN_TX_ALONE;
	if (ev->precise && group__check_precise(machine, ev))
		return group__check_precise(machine, ev);
	if (ev->flags & RULE_METRIC && machine->samples)
		return PLAN_NOT_SAMPLED;
	if (ev->flags & RULE_METRIC && (leader->code & 0xffff) != SLOTS)
		return PLAN_NEEDS_SLOTS;
	if (has_bad_bits(machine, ev))
		return PLAN_BAD_REGISTER;
	return ev->counters ? PLAN_OPENS : PLAN_NO_COUNTER;
}

/* True if leader, enabled siblings and event `at` fit together. */
static bool fits(const struct plan *plan, const struct plan_group *group, size_t at)
{
	struct assign_how how = quirks__how(&plan->machine);
	struct assign_event events[ASSIGN_MAX];
	struct extra_regs extra = { 0 };
	int8_t counter[ASSIGN_MAX];
	size_t cnt = 0, i;
	uint64_t code;

	for (i = group->first; i <= at; i++) {
		const struct plan_event *ev = &plan->events[i];

		if (!ev->is_hw || (i != at && ev->refusal) ||
		    (i != at && i != group->first && ev->disabled))
			continue;
		/* The check leaves the code as it is: so are its counters. */
		events[cnt].counters =
			extra__take(&plan->machine, &extra, ev, &code, NULL) ? ev->counters : 0;
		events[cnt].pair = ev->flags & RULE_PAIR;
		events[cnt++].overlap = ev->flags & RULE_OVERLAP;
	}
	return !assign__place(&how, events, cnt, counter, NULL);
}

void group__open(struct plan *plan, size_t at)
{
	struct plan_group *group = &plan->groups[at];
	size_t i;

	group->is_hw = group->broken = false;
	for (i = group->first; i < group->first + group->cnt; i++) {
		struct plan_event *ev = &plan->events[i];

		ev->refusal =
			check_alone(&plan->machine, ev, &plan->events[group->first], group->ctx);
		if (i != group->first && plan->events[group->first].refusal)
			ev->refusal = PLAN_LEADER_GONE;
		if (!ev->refusal && ev->is_hw && i != group->first && !fits(plan, group, i))
			ev->refusal = PLAN_GROUP_FULL;
		if (ev->refusal)
			group->broken = true;
		else
			group->is_hw |= ev->is_hw;
	}
}

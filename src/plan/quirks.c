// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/quirks.h"

/*
 * The counter that may be corrupted while a transaction runs (kernel: tfa_get_event_constraints()).
 */
#define TFA_COUNTER COUNTER_BIT(3)
/*
 * in_tx_cp: counts of an aborted transaction are subtracted (kernel: hsw_get_event_constraints()).
 */
#define CHECKPOINTED (1ull << 33)
#define CHECKPOINTED_COUNTER COUNTER_BIT(2)
/* Precise events (PEBS) before Ice Lake. */
#define PRECISE_COUNTERS 0xfull

uint64_t quirks__general(const struct plan_machine *machine)
{
	const struct model *model = machine->model;

	return machine->ht || machine->ht_counters ? model->general : model->general_ht_off;
}

void quirks__set_group_size(struct plan_machine *machine, unsigned int cycles_cnt)
{
	unsigned int shared = (unsigned int)__builtin_popcountll(machine->model->general);

	/* One of them is on the fixed counter; the kernel may use PMC3 (TFA). */
	machine->ht_counters = cycles_cnt && cycles_cnt - 1 <= shared;
}

static uint64_t counters_of(const struct plan_machine *machine, const struct model_rule *rule)
{
	uint64_t general = quirks__general(machine), counters = general;

	if (rule)
		counters = rule->counters | (rule->flags & RULE_GENERAL_TOO ? general : 0);
	return counters & (general | machine->model->fixed);
}

void quirks__constrain(const struct plan_machine *machine, struct plan_event *ev)
{
	const struct model *model = machine->model;

	ev->rule = model__rule(model, ev->code, machine->kernel);
	ev->counters = counters_of(machine, ev->rule);
	ev->real = counters_of(machine, model__rule(model, ev->code, KERNEL_ANY));
	if (ev->precise && model->has_extra_regs && model->general == PRECISE_COUNTERS)
		ev->counters &= PRECISE_COUNTERS;
	if (model->has_tsx && ev->code & CHECKPOINTED) {
		ev->counters &= CHECKPOINTED_COUNTER;
		ev->real &= CHECKPOINTED_COUNTER;
	}
	if (model->tfa && machine->tfa && machine->kernel >= KERNEL_RC(5, 1, 1))
		ev->counters &= ~TFA_COUNTER;
}

bool quirks__ht_erratum(const struct plan_machine *machine)
{
	return machine->model->ht_erratum && machine->ht;
}

uint64_t quirks__beside_sibling(const struct plan_machine *machine, const struct plan_event *ev)
{
	uint64_t taken = machine->sibling_corrupting;

	if (!quirks__ht_erratum(machine) || machine->kernel < KERNEL_RC(4, 1, 1))
		return ev->counters;
	if (ev->rule && ev->rule->flags & RULE_CORRUPTING)
		taken |= machine->sibling_other;
	return ev->counters & ~(taken & COUNTERS_GENERAL);
}

void quirks__limit(const struct plan_machine *machine, bool corrupting, struct assign_how *how)
{
	unsigned int half = (unsigned int)__builtin_popcountll(quirks__general(machine)) / 2;

	if (!quirks__ht_erratum(machine) || machine->kernel < KERNEL_RC(4, 1, 1))
		return;
	if (machine->kernel < KERNEL_RC(4, 1, 7))
		how->total_max = half;
	else if (corrupting || machine->sibling_corrupting)
		how->general_max = half;
}

/* Members of a group, hardware and software, in their order. */
struct mix {
	size_t hw, sw;
	bool sw_behind_both;
	bool pinned;
	size_t cnt;
};

static struct mix mix_of(const struct plan *plan, const struct plan_group *group)
{
	struct mix mix = { .pinned = group->pinned, .cnt = group->cnt };
	size_t i;

	for (i = group->first; i < group->first + group->cnt; i++) {
		bool is_hw = plan->events[i].is_hw;

		mix.sw_behind_both |= !is_hw && mix.hw && mix.sw;
		mix.hw += is_hw;
		mix.sw += !is_hw;
	}
	return mix;
}

static bool has_mixed_group(const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->group_cnt; i++)
		if (mix_of(plan, &plan->groups[i]).sw_behind_both)
			return true;
	return false;
}

static bool has_pinned_group(const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->group_cnt; i++)
		if (plan->groups[i].pinned && plan->groups[i].cnt > 1)
			return true;
	return false;
}

static bool has_corrupting(const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->event_cnt; i++) {
		const struct model_rule *rule =
			model__rule(plan->machine.model, plan->events[i].code, KERNEL_ANY);

		if (plan->events[i].is_hw && !plan->events[i].no_event && rule &&
		    rule->flags & RULE_CORRUPTING)
			return true;
	}
	return false;
}

static bool corrupts_unseen(const struct plan *plan)
{
	return quirks__ht_erratum(&plan->machine) && has_corrupting(plan);
}

static bool shares_erratum(const struct plan *plan)
{
	return quirks__ht_erratum(&plan->machine) && !plan->machine.sibling_corrupting;
}

static bool has_dynamic(const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->event_cnt; i++)
		if (plan->events[i].is_hw && plan->machine.model->has_extra_regs &&
		    ((plan->events[i].code & 0xffff) == 0x01b7 ||
		     (plan->events[i].code & 0xffff) == 0x01bb))
			return true;
	return false;
}

static const struct {
	uint32_t since, until; /* kernels with it; until 0: all later ones */
	bool (*applies)(const struct plan *plan); /* NULL: where a group takes turns */
	const char *sentence;
} faults[] = {
	{ 0, KERNEL_RC(4, 18, 1), has_mixed_group,
	  "kernels before 4.18 may refuse a software event in a group that already has both software "
	  "and hardware events" },
	{ 0, KERNEL_RC(4, 13, 2), has_pinned_group,
	  "kernels before 4.13 may fail to put a pinned group before flexible ones" },
	{ 0, KERNEL_RC(4, 6, 2), NULL,
	  "kernels before 4.6 may report 0% of the time for an event that takes turns" },
	{ KERNEL_RC(4, 17, 1), KERNEL_RC(5, 4, 3), NULL,
	  "kernels 4.17 to 5.3 without stable updates do not rotate a list whose first group "
	  "cannot be placed: all groups after it stay at 0%" },
	{ 0, KERNEL_RC(4, 1, 1), has_dynamic,
	  "kernels before 4.1 may narrow the counters of off-core events more than needed" },
	{ 0, KERNEL_RC(3, 11, 1), NULL,
	  "kernels before 3.11 rotate events at the scheduler's tick, not by a timer of their own" },
	{ 0, KERNEL_RC(4, 1, 1), corrupts_unseen,
	  "this kernel has no workaround for the HT erratum: events 0xd0 to 0xd3 and events that "
	  "the core's other thread counts on the same counter corrupt each other" },
	{ KERNEL_RC(4, 1, 1), 0, shares_erratum,
	  "while the core's other thread counts an event of 0xd0 to 0xd3, this thread cannot use "
	  "that counter (HT erratum), and only half of the general counters are left" },
};

size_t quirks__notes(const struct plan *plan, bool takes_turns, const char **notes, size_t max)
{
	uint32_t kernel = plan->machine.kernel;
	size_t cnt = 0, i;

	for (i = 0; i < sizeof(faults) / sizeof(faults[0]) && cnt < max; i++)
		if (kernel >= faults[i].since && (!faults[i].until || kernel < faults[i].until) &&
		    (faults[i].applies ? faults[i].applies(plan) : takes_turns))
			notes[cnt++] = faults[i].sentence;
	return cnt;
}

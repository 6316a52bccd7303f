// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/quirks.h"

#include <linux/perf_event.h>
#include <string.h>

#include "event/pmu_model.h"
#include "plan/precise.h"

/*
 * The counter that may be corrupted while a transaction runs (kernel: tfa_get_event_constraints()).
 */
#define TFA_COUNTER COUNTER_BIT(3)
/*
 * in_tx_cp: counts of an aborted transaction are subtracted (kernel: hsw_get_event_constraints()).
 */
#define CHECKPOINTED (1ull << 33)
#define IN_TX (1ull << 32)
#define CHECKPOINTED_COUNTER COUNTER_BIT(2)

uint64_t quirks__general(const struct plan_machine *machine)
{
	const struct model *model = machine->model;

	return machine->ht || machine->ht_counters ? model->general : model->general_ht_off;
}

/*
 * kernel: amd_core_pmu_init() takes the constraints of family 19h where amd_brs_init() returns 0,
 * whatever the family, since "perf/x86/amd/lbr: Detect LbrExtV2 support"; the stub in a kernel
 * without BRS returns 0.
 */
static bool may_lack_constraints(const struct plan_machine *machine)
{
	return !strcmp(machine->model->name, "fam15h") && machine->kernel >= KERNEL_RC(6, 1, 1);
}

static bool lacks_constraints(const struct plan_machine *machine)
{
	return machine->no_brs && may_lack_constraints(machine);
}

/* Family 15h counts cycles on three of six counters, if the kernel has the constraint. */
static void find_brs(struct plan_machine *machine, unsigned int cycles_cnt)
{
	struct plan_event cycles = { .code = machine->model->names->hw[PERF_COUNT_HW_CPU_CYCLES] };

	machine->no_brs = false;
	quirks__constrain(machine, &cycles);
	machine->no_brs = cycles_cnt > (unsigned int)__builtin_popcountll(cycles.counters);
	machine->brs_known = cycles_cnt;
}

void quirks__set_group_size(struct plan_machine *machine, unsigned int cycles_cnt)
{
	unsigned int shared = (unsigned int)__builtin_popcountll(machine->model->general);

	if (may_lack_constraints(machine)) {
		find_brs(machine, cycles_cnt);
		return;
	}
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

_Static_assert((int)OWN_MASK_CORRUPTING == RULE_CORRUPTING &&
		       (int)OWN_MASK_OVERLAP == RULE_OVERLAP &&
		       (int)OWN_MASK_NORTHBRIDGE == RULE_NORTHBRIDGE &&
		       (int)OWN_MASK_PAIR == RULE_PAIR,
	       "a term of event/pmu_model.h is the flag of that name");

/* The event has named its counters, or any general one will do. */
static void constrain_own(const struct plan_machine *machine, struct plan_event *ev)
{
	const struct model *model = machine->model;
	uint64_t asked = ev->is_raw && ev->code ? ev->code : model->general;

	ev->counters = ev->real = asked & (model->general | model->fixed);
	ev->flags = ev->is_raw ? (unsigned int)ev->config1 : 0;
}

/*
 * The kernel drops the bits for transactions of all but CPUs with RTM or HLE (hsw_hw_config() adds
 * them to X86_RAW_EVENT_MASK).
 */
static uint64_t seen_code(const struct plan_machine *machine, uint64_t code)
{
	const struct model *model = machine->model;
	bool drops = model->has_extra_regs && (!model->has_tsx || machine->no_tsx);

	return drops ? code & ~(IN_TX | CHECKPOINTED) : code;
}

static void constrain_precise(const struct plan_machine *machine, struct plan_event *ev,
			      uint64_t code)
{
	bool has = precise__rule(machine->model, code, machine->kernel, &ev->rule);

	ev->flags = ev->rule ? ev->rule->flags : 0;
	ev->counters = has ? counters_of(machine, ev->rule) : 0;
	if (ev->precise == 3)
		ev->counters = precise__three(machine->model, code, ev->counters);
	ev->counters &= quirks__general(machine) | machine->model->fixed;
	ev->real = ev->counters;
}

void quirks__constrain(const struct plan_machine *machine, struct plan_event *ev)
{
	const struct model *model = machine->model;
	const uint64_t code = seen_code(machine, ev->code);

	if (model->own_masks) {
		constrain_own(machine, ev);
		return;
	}
	if (ev->precise && !model->precise->ibs) {
		constrain_precise(machine, ev, precise__code(model, code, ev->precise));
	} else {
		ev->rule = model__rule(model, code, machine->kernel);
		ev->flags = ev->rule ? ev->rule->flags : 0;
		ev->counters = counters_of(machine, ev->rule);
		ev->real = counters_of(machine, model__rule(model, code, KERNEL_ANY));
		/* A cycle counter that later kernels avoid counts, too, but for both threads. */
		if (model->policy == POLICY_FIRST_FIT)
			ev->real |= ev->counters;
	}
	if (lacks_constraints(machine))
		ev->counters = quirks__general(machine);
	if (model->has_tsx && code & CHECKPOINTED) {
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
	if (ev->flags & RULE_CORRUPTING)
		taken |= machine->sibling_other;
	return ev->counters & ~(taken & COUNTERS_GENERAL);
}

struct assign_how quirks__how(const struct plan_machine *machine)
{
	struct assign_how how = assign__how(machine->model, machine->kernel);

	/* kernel: gpmax is x86_pmu_max_num_counters() where nothing lowers it. */
	if (how.policy == POLICY_WEIGHT && how.counts_tries)
		how.general_max = 64u - (unsigned int)__builtin_clzll(quirks__general(machine));
	return how;
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

static bool is_planned(const struct plan_event *ev)
{
	return ev->is_hw && !ev->is_watchdog && !ev->refusal && !ev->disabled;
}

/*
 * The kernel looks for a software event's context by the type of its group's leader; a software
 * leader that hardware members have drawn to their context is then in another one.
 */
static bool has_mixed_group(const struct plan *plan, const struct quirks_seen *seen)
{
	size_t i, j;

	for (i = 0; i < plan->group_cnt; i++) {
		const struct plan_group *group = &plan->groups[i];
		bool any_hw = false;

		for (j = group->first; j < group->first + group->cnt; j++) {
			if (any_hw && !plan->events[j].is_hw && !plan->events[group->first].is_hw)
				return true;
			any_hw |= plan->events[j].is_hw;
		}
	}
	return false;
}

/* A pinned group's members, and a flexible group that they may be taken for. */
static bool has_pinned_group(const struct plan *plan, const struct quirks_seen *seen)
{
	size_t i;

	for (i = 0; i < plan->group_cnt; i++)
		if (plan->groups[i].pinned && plan->groups[i].cnt > 1 && plan->groups[i].is_hw)
			return plan->flexible_cnt[PLAN_CTX_CPU] ||
			       plan->flexible_cnt[PLAN_CTX_TASK];
	return false;
}

/* On a processor that is for sale; a PMU of one's own has it for the asking. */
static bool has_erratum(const struct plan *plan)
{
	return quirks__ht_erratum(&plan->machine) && !plan->machine.model->own_masks;
}

/* The rule that later kernels have for it: those without the workaround have none. */
static bool has_corrupting(const struct plan *plan, const struct quirks_seen *seen)
{
	size_t i;

	if (!has_erratum(plan))
		return false;
	for (i = 0; i < plan->event_cnt; i++) {
		const struct plan_event *ev = &plan->events[i];
		const struct model_rule *rule =
			model__rule(plan->machine.model, ev->code, KERNEL_ANY);

		if (is_planned(ev) && rule && rule->flags & RULE_CORRUPTING)
			return true;
	}
	return false;
}

/* An event that cannot do with a fixed counter may miss the one that the other thread has taken. */
static bool shares_erratum(const struct plan *plan, const struct quirks_seen *seen)
{
	size_t i;

	if (!has_erratum(plan) || plan->machine.sibling_corrupting)
		return false;
	for (i = 0; i < plan->event_cnt; i++)
		if (is_planned(&plan->events[i]) && plan->events[i].counters & COUNTERS_GENERAL &&
		    !(plan->events[i].counters & ~COUNTERS_GENERAL))
			return true;
	return false;
}

static bool has_dynamic(const struct plan *plan, const struct quirks_seen *seen)
{
	size_t i;

	for (i = 0; i < plan->event_cnt; i++)
		if (is_planned(&plan->events[i]) && plan->machine.model->has_extra_regs &&
		    ((plan->events[i].code & 0xffff) == 0x01b7 ||
		     (plan->events[i].code & 0xffff) == 0x01bb))
			return true;
	return false;
}

static bool has_constrained(const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->event_cnt; i++)
		if (is_planned(&plan->events[i]) && plan->events[i].rule)
			return true;
	return false;
}

static bool has_fam15h(const struct plan *plan, const struct quirks_seen *seen)
{
	return may_lack_constraints(&plan->machine) && !plan->machine.brs_known &&
	       has_constrained(plan);
}

static bool lacks_fam15h(const struct plan *plan, const struct quirks_seen *seen)
{
	return lacks_constraints(&plan->machine) && has_constrained(plan);
}

static bool takes_turns(const struct plan *plan, const struct quirks_seen *seen)
{
	return seen->takes_turns;
}

static bool rotates_empty(const struct plan *plan, const struct quirks_seen *seen)
{
	return seen->rotates_empty;
}

static const struct {
	uint32_t since, until; /* kernels with it; until 0: all later ones */
	bool (*applies)(const struct plan *plan, const struct quirks_seen *seen);
	const char *sentence;
} faults[] = {
	{ 0, KERNEL_RC(4, 18, 1), has_mixed_group,
	  "kernels before 4.18 refuse a software event in a group that a software event leads and a "
	  "hardware event is in" },
	{ KERNEL_RC(4, 11, 1), KERNEL_RC(4, 13, 2), has_pinned_group,
	  "kernels 4.11 and 4.12 may fail to put a pinned group before flexible ones" },
	{ 0, KERNEL_RC(4, 6, 2), takes_turns,
	  "kernels before 4.6 may report 0% of the time for an event that takes turns" },
	{ KERNEL_RC(4, 17, 1), KERNEL_RC(5, 4, 3), rotates_empty,
	  "kernels 4.17 to 5.3 without stable updates do not rotate a list whose first group "
	  "cannot be placed: all groups after it stay at 0%" },
	{ 0, KERNEL_RC(4, 1, 1), has_dynamic,
	  "kernels before 4.1 may narrow the counters of off-core events more than needed" },
	{ 0, KERNEL_RC(3, 11, 1), takes_turns,
	  "kernels before 3.11 rotate events at the scheduler's tick, not by a timer of their own" },
	{ 0, KERNEL_RC(4, 1, 1), has_corrupting,
	  "this kernel has no workaround for the HT erratum: events 0xd0 to 0xd3 and events that "
	  "the core's other thread counts on the same counter corrupt each other" },
	{ 0, 0, has_fam15h,
	  "kernels from 6.1 on that are built without CONFIG_PERF_EVENTS_AMD_BRS, as Debian's, do not "
	  "use their constraints for family 15h: any event goes on any counter, and on the wrong one "
	  "it reads 0 (--amd-brs off)" },
	{ 0, 0, lacks_fam15h,
	  "this kernel does not use its constraints for family 15h, since it is built without "
	  "CONFIG_PERF_EVENTS_AMD_BRS: any event goes on any counter, and on the wrong one it reads 0" },
	{ KERNEL_RC(4, 1, 1), 0, shares_erratum,
	  "while the core's other thread counts an event of 0xd0 to 0xd3, this thread cannot use "
	  "that counter (HT erratum), and only half of the general counters are left" },
};

size_t quirks__notes(const struct plan *plan, const struct quirks_seen *seen, const char **notes,
		     size_t max)
{
	uint32_t kernel = plan->machine.kernel;
	size_t cnt = 0, i;

	for (i = 0; i < sizeof(faults) / sizeof(faults[0]) && cnt < max; i++)
		if (kernel >= faults[i].since && (!faults[i].until || kernel < faults[i].until) &&
		    faults[i].applies(plan, seen))
			notes[cnt++] = faults[i].sentence;
	return cnt;
}

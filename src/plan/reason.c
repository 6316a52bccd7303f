// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/reason.h"

#include <string.h>

#include "plan/pmc_names.h"
#include "plan/extra.h"
#include "plan/quirks.h"
#include "plan/refusal.h"
#include "plan/uncore.h"

/* Names of one list in a sentence; more are "and others". */
#define NAMES_MAX 3

struct reasoner {
	const struct plan *plan;
	const struct sim *sim;
	size_t at;
	const struct plan_event *ev;
	const struct plan_group *group;
	const struct sim_group *sg;
	struct strbuf *out;
};

const char *sim_state__text(enum sim_state state)
{
	switch (state) {
	case SIM_COUNTED:
		return "counted";
	case SIM_TURNS:
		return "takes turns";
	case SIM_NOT_SUPPORTED:
		return "<not supported>";
	default:
		return "<not counted>";
	}
}

const char *sim_state__name(enum sim_state state)
{
	static const char *const names[] = {
		[SIM_COUNTED] = "counted",           [SIM_TURNS] = "multiplexed",
		[SIM_NOT_COUNTED] = "not-counted",   [SIM_PINNED_ERROR] = "pinned-error",
		[SIM_GROUP_BROKEN] = "group-broken", [SIM_NOT_SUPPORTED] = "not-supported",
		[SIM_DISABLED] = "disabled",
	};

	return names[state];
}

static void put_group(const struct reasoner *r, size_t at)
{
	const struct plan_group *group = &r->plan->groups[at];

	strbuf__puts(r->out, r->plan->events[group->first].name);
	if (group->cnt > 1)
		strbuf__puts(r->out, "'s group");
}

static void put_holders(const struct reasoner *r, const struct sim_group *sg)
{
	size_t shown = sg->holder_cnt < NAMES_MAX ? sg->holder_cnt : NAMES_MAX, i;

	for (i = 0; i < shown; i++)
		strbuf__printf(r->out, "%s%s",
			       !i                        ? ""
			       : i + 1 == sg->holder_cnt ? " and "
							 : ", ",
			       r->plan->events[sg->holders[i]].name);
	if (sg->holder_cnt > shown)
		strbuf__puts(r->out, " and others");
}

static void put_counters(const struct reasoner *r, uint64_t counters)
{
	pmc_names__put(r->plan->machine.model, counters, r->out);
}

static void put_broken(const struct reasoner *r)
{
	size_t i;

	for (i = r->group->first; !r->plan->events[i].refusal; i++)
		;
	strbuf__printf(r->out,
		       "%s of its group is refused, and the other members of a group are not read",
		       r->plan->events[i].name);
}

/* Adds the counters that the HT erratum takes away to a sentence about counters. */
static void put_limit(const struct reasoner *r)
{
	struct assign_how how = { 0 };

	quirks__limit(&r->plan->machine, true, &how);
	if (how.total_max)
		strbuf__printf(r->out,
			       "; with hyper-threading this kernel uses %u counters at once",
			       how.total_max);
	else if (how.general_max)
		strbuf__printf(
			r->out,
			"; beside events of the HT erratum the kernel uses %u general counters "
			"at once",
			how.general_max);
}

static bool is_limited(const struct reasoner *r)
{
	const struct plan_machine *machine = &r->plan->machine;
	struct assign_how how = { 0 };
	bool corrupting = machine->sibling_corrupting;
	size_t i;

	for (i = 0; i < r->plan->event_cnt; i++) {
		const struct plan_event *ev = &r->plan->events[i];

		corrupting |= ev->is_hw && !ev->refusal && ev->flags & RULE_CORRUPTING;
	}
	quirks__limit(machine, corrupting, &how);
	return how.total_max || how.general_max;
}

/* True if a counter was free, but not the register that it also needs. */
static bool lacks_register(const struct reasoner *r, const struct sim_group *sg, uint64_t left)
{
	const struct plan_event *stuck = &r->plan->events[sg->stuck];
	struct extra_regs extra = { 0 };
	uint64_t code;
	size_t i;

	if (sg->holder_cnt >= (size_t)__builtin_popcountll(left))
		return false;
	extra__share(&r->plan->machine, &extra);
	for (i = 0; i < r->plan->event_cnt; i++)
		if (i != (size_t)sg->stuck && r->plan->events[i].is_hw)
			extra__take(&r->plan->machine, &extra, &r->plan->events[i], &code, NULL);
	return !extra__take(&r->plan->machine, &extra, stuck, &code, NULL);
}

static bool is_offcore(unsigned int reg)
{
	return reg <= MODEL_REG_RSP_1 || (reg >= MODEL_REG_OMR_0 && reg <= MODEL_REG_OMR_3);
}

/* The register that the event needs is taken, and so are those that would do as well. */
static void put_register(const struct reasoner *r, const struct plan_event *stuck)
{
	static const char *const kinds[] = {
		[MODEL_REG_RSP_0] = "off-core responses",
		[MODEL_REG_LDLAT] = "load latency",
		[MODEL_REG_FE] = "front-end events",
		[MODEL_REG_SNOOP_0] = "answers to snoops",
		[MODEL_REG_SNOOP_1] = "answers to snoops",
	};
	const struct plan_machine *machine = &r->plan->machine;
	const struct model_extra *need = model__extra(machine->model, stuck->code, machine->kernel),
				 *extra;
	bool offcore = is_offcore(need->reg);
	unsigned int regs = 0;

	for (extra = machine->model->extra; extra->code; extra++)
		if (offcore ? is_offcore(extra->reg) : extra->reg == need->reg)
			regs |= 1u << extra->reg;
	strbuf__printf(r->out,
		       "in addition to a counter it needs a register for %s, of which there %s "
		       "%d, with %s",
		       kinds[offcore ? MODEL_REG_RSP_0 : need->reg],
		       __builtin_popcount(regs) > 1 ? "are" : "is", __builtin_popcount(regs),
		       __builtin_popcount(regs) > 1 ? "other values in them"
						    : "another value in it");
	if (offcore && machine->model->shares_offcore && machine->sibling_offcore_cnt)
		strbuf__puts(r->out, "; the core's other thread uses the same");
}

/* The other thread has all counters that the event may use. */
static void put_sibling(const struct reasoner *r, const struct plan_event *stuck)
{
	if (stuck->counters & COUNTERS_GENERAL & ~r->plan->machine.sibling_corrupting) {
		strbuf__puts(r->out, "the core's other thread counts events on ");
		put_counters(r, stuck->counters);
		strbuf__puts(r->out, ", and those of the HT erratum go only where it counts none");
		return;
	}
	strbuf__puts(r->out, "the core's other thread counts events of the HT erratum on ");
	put_counters(r, stuck->counters);
}

/*
 * "only PMC2 can count it, and X is there" – and the event without a counter, if it is another one.
 */
static void put_stuck(const struct reasoner *r, const struct sim_group *sg, const char *holding)
{
	const struct plan_event *stuck = &r->plan->events[sg->stuck];
	uint64_t left = quirks__beside_sibling(&r->plan->machine, stuck);

	if (stuck != r->ev)
		strbuf__printf(r->out, "with it %s finds no counter: ", stuck->name);
	if (!left) {
		put_sibling(r, stuck);
		return;
	}
	if (stuck->flags & RULE_NORTHBRIDGE && !(left & ~r->plan->machine.northbridge)) {
		strbuf__puts(r->out, "it counts for the whole package, and other cores have ");
		put_counters(r, left);
		return;
	}
	if (r->plan->machine.model->uncore && lacks_register(r, sg, left)) {
		strbuf__puts(r->out, "in addition to a counter it needs ");
		strbuf__puts(r->out, r->plan->machine.model->uncore->take
					     ? "a register of the box, and others hold those that "
					       "serve it, with other values; "
					     : "the filter of the box, of which there is 1, with "
					       "another value in it; ");
	} else if (lacks_register(r, sg, left)) {
		put_register(r, stuck);
		return;
	}
	strbuf__puts(r->out, left & (left - 1) ? "" : "only ");
	put_counters(r, left);
	strbuf__puts(r->out, " can count it");
	if (sg->holder_cnt) {
		strbuf__puts(r->out, ", and ");
		put_holders(r, sg);
		strbuf__printf(r->out, " %s", holding);
	}
	if (is_limited(r))
		put_limit(r);
}

/* Failed before counters were checked, or was behind others for too long. */
static void put_otherwise(const struct reasoner *r)
{
	if (r->group->exclusive)
		strbuf__puts(r->out, "it is exclusive, and waits until nothing else is on the PMU");
	else if (r->sg->failed_ns)
		strbuf__puts(r->out, "an exclusive group has the PMU to itself meanwhile");
	else
		strbuf__puts(r->out, "no turn came for it while it could run");
}

static void put_turns(const struct reasoner *r)
{
	if (!r->sg->failed_ns && r->sg->blocker >= 0) {
		strbuf__puts(r->out,
			     "it would fit, but no group is tried after a group that found no "
			     "counter, and ");
		put_group(r, (size_t)r->sg->blocker);
		strbuf__puts(r->out, " found none: it runs while it is the first");
	} else if (r->sg->stuck >= 0) {
		put_stuck(r, r->sg,
			  r->sg->holder_cnt > 1 ? "want them too: they take turns"
						: "wants it too: they take turns");
	} else {
		put_otherwise(r);
	}
}

static bool is_behind_pinned(const struct reasoner *r)
{
	size_t i;

	if (!r->sg->holder_cnt)
		return false;
	for (i = 0; i < r->sg->holder_cnt && i < SIM_HOLDERS_MAX; i++)
		if (!r->plan->groups[r->plan->events[r->sg->holders[i]].group].pinned)
			return false;
	return true;
}

static const char *how_long(const struct reasoner *r)
{
	if (!is_behind_pinned(r))
		return "are in the way in any order";
	return r->sg->holder_cnt > 1 ? "are always placed first: they are pinned"
				     : "is always placed first: it is pinned";
}

static void put_not_counted(const struct reasoner *r)
{
	const struct sim_event *se = &r->sim->events[r->at];

	if (!se->enabled_ns) {
		strbuf__puts(r->out, "its task never ran");
	} else if (r->sim->slept_through || !r->sim->rotation_cnt) {
		strbuf__puts(r->out, "no turn came while the task was on the CPU: ");
		if (r->sg->stuck >= 0) {
			put_stuck(r, r->sg, "came first");
			return;
		}
		strbuf__puts(r->out, "the events before it had the counters");
	} else if (r->sg->stuck >= 0) {
		put_stuck(r, r->sg, how_long(r));
	} else if (r->sg->blocker >= 0) {
		strbuf__puts(r->out, "it comes after ");
		put_group(r, (size_t)r->sg->blocker);
		strbuf__puts(r->out, ", which found no counter, and no group after that is tried");
	} else {
		put_otherwise(r);
	}
}

static void put_pinned_error(const struct reasoner *r)
{
	if (r->sg->stuck >= 0) {
		put_stuck(r, r->sg, r->sg->holder_cnt > 1 ? "are there" : "is there");
		strbuf__puts(r->out,
			     "; a pinned group without room is in error until it is enabled "
			     "again");
	} else {
		strbuf__puts(r->out,
			     "a pinned group before it found no room, and from 5.6 on the pinned "
			     "groups after that are not tried, but put in error");
	}
}

/* It took turns until all fitted. */
static void put_settled(const struct reasoner *r)
{
	strbuf__puts(r->out, "has ");
	put_counters(r, r->sim->events[r->at].counters_used);
	strbuf__printf(r->out, " from %g ms on: %s", (double)r->sim->settled_ns / 1e6,
		       is_limited(r) ? "all events then fit the counters that they had last, where "
				       "the kernel leaves them, and looks at no limit"
				     : "in the order of that turn all events fit, and it stays");
}

static void put_counted(const struct reasoner *r)
{
	const struct sim_event *se = &r->sim->events[r->at];

	if (!r->ev->is_hw) {
		strbuf__puts(r->out,
			     "needs no counter of the PMU: the kernel or another PMU counts it");
		return;
	}
	if (r->sim->settled_ns && (r->sg->failed_ns || r->sg->behind_ns)) {
		put_settled(r);
		return;
	}
	strbuf__puts(r->out, "always has ");
	put_counters(r, se->counters_used);
	if (se->counters_used & (se->counters_used - 1))
		strbuf__puts(r->out, ", moved from one to another as other events come and go");
}

static void put_zero(const struct reasoner *r)
{
	const struct sim_event *se = &r->sim->events[r->at];

	if (r->ev->unlisted && se->running_ns)
		strbuf__puts(r->out, "; the PMU does not list it in sysfs, so it may read 0");
	if (!se->zero_ns)
		return;
	strbuf__puts(r->out, "; this kernel does not know that ");
	if (r->ev->real)
		strbuf__puts(r->out, "only ");
	put_counters(r, r->ev->real);
	strbuf__puts(r->out, r->ev->real & (r->ev->real - 1) ? " count it: on "
			     : r->ev->real                   ? " counts it: on "
							     : " of its counters counts it: on ");
	put_counters(r, se->counters_used & ~r->ev->real);
	strbuf__puts(r->out, " it reads 0");
}

static void put_disabled(const struct reasoner *r)
{
	const struct plan_event *leader = &r->plan->events[r->group->first];

	if (leader != r->ev && leader->disabled) {
		strbuf__printf(r->out,
			       "%s leads its group and is opened disabled: the group is on no "
			       "counter",
			       leader->name);
		return;
	}
	strbuf__puts(r->out,
		     "it is opened disabled and nothing enables it: it is on no counter, and ");
	strbuf__puts(r->out, leader != r->ev     ? "no check of its group counts it"
			     : r->group->cnt > 1 ? "no member of its group is"
						 : "no other event waits for it");
}

void reason__put(const struct plan *plan, const struct sim *sim, size_t at, struct strbuf *out)
{
	struct reasoner r = {
		.plan = plan, .sim = sim, .at = at, .ev = &plan->events[at], .out = out
	};

	r.group = &plan->groups[r.ev->group];
	r.sg = &sim->groups[r.ev->group];
	switch (sim->events[at].state) {
	case SIM_COUNTED:
		put_counted(&r);
		break;
	case SIM_TURNS:
		put_turns(&r);
		break;
	case SIM_DISABLED:
		put_disabled(&r);
		break;
	case SIM_NOT_COUNTED:
		put_not_counted(&r);
		break;
	case SIM_PINNED_ERROR:
		put_pinned_error(&r);
		break;
	case SIM_GROUP_BROKEN:
		put_broken(&r);
		break;
	case SIM_NOT_SUPPORTED:
		refusal__put(plan, at, out);
		break;
	}
	put_zero(&r);
}

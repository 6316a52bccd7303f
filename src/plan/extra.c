// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/extra.h"

#include "plan/uncore.h"

bool extra__hold(struct extra_regs *extra, unsigned int reg, uint64_t val)
{
	if (extra->regs[reg].used)
		return extra->regs[reg].val == val;
	extra->regs[reg].used = true;
	extra->regs[reg].val = val;
	return true;
}

void extra__share(const struct plan_machine *machine, struct extra_regs *extra)
{
	size_t i;

	for (i = 0; i < machine->sibling_offcore_cnt && machine->model->shares_offcore; i++)
		extra__hold(extra, i ? MODEL_REG_RSP_1 : MODEL_REG_RSP_0,
			    machine->sibling_offcore[i]);
}

/* The first event that needs this register. */
static const struct model_extra *with_reg(const struct model *model, uint8_t reg)
{
	const struct model_extra *extra;

	for (extra = model->extra; extra->code; extra++)
		if (extra->reg == reg)
			return extra;
	return NULL;
}

/* The register that is tried next, NULL: there is none (kernel: intel_alt_er()). */
static const struct model_extra *next(const struct model *model, const struct model_extra *one)
{
	uint8_t first = MODEL_REG_RSP_0, last = MODEL_REG_RSP_1;

	if (one->reg >= MODEL_REG_OMR_0 && one->reg <= MODEL_REG_OMR_3) {
		first = MODEL_REG_OMR_0;
		last = MODEL_REG_OMR_3;
	} else if (one->reg > MODEL_REG_RSP_1 || model->one_offcore) {
		return NULL;
	}
	return with_reg(model, one->reg == last ? first : one->reg + 1);
}

/* An event's like for another of the four registers has the same code and another umask. */
static uint64_t alike_bits(const struct model_extra *extra)
{
	return extra->reg >= MODEL_REG_OMR_0 ? 0xff00 : 0xffff;
}

bool extra__take(const struct plan_machine *machine, struct extra_regs *extra,
		 const struct plan_event *ev, uint64_t *code, uint8_t *like)
{
	const struct model *model = machine->model;
	const struct model_extra *own = model__extra(model, ev->code, machine->kernel), *need = own;
	uint8_t first;

	*code = ev->code;
	if (model->uncore)
		return uncore__take(model, extra, ev, like);
	if (!own)
		return true;
	/* The kernel has changed the event for another register, and begins there. */
	if (like && *like)
		need = with_reg(model, *like - 1);
	first = need->reg;
	do {
		if (extra__hold(extra, need->reg, ev->config1)) {
			if (need->reg != own->reg)
				*code = (ev->code & ~alike_bits(need)) |
					(need->code & alike_bits(need));
			if (like)
				*like = need->reg == own->reg ? 0 : need->reg + 1;
			return true;
		}
		need = next(model, need);
		/* config1 of a cache event is only a number of ours. */
	} while (need && need->reg != first &&
		 (!ev->is_raw || model__takes(need, ev->config1, machine->kernel)));
	return false;
}

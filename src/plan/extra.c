// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/extra.h"

/* Takes the register if it is free, or holds the value already. */
static bool take(struct extra_regs *extra, enum model_reg reg, uint64_t val)
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
		take(extra, i ? MODEL_REG_RSP_1 : MODEL_REG_RSP_0, machine->sibling_offcore[i]);
}

/* The register that serves as well, NULL: there is none (kernel: intel_alt_er()). */
static const struct model_extra *other(const struct model *model, const struct model_extra *one)
{
	const struct model_extra *extra;

	if (one->reg > MODEL_REG_RSP_1 || model->one_offcore)
		return NULL;
	for (extra = model->extra; extra->code; extra++)
		if (extra->reg <= MODEL_REG_RSP_1 && extra->reg != one->reg)
			return extra;
	return NULL;
}

bool extra__take(const struct model *model, struct extra_regs *extra, const struct plan_event *ev)
{
	const struct model_extra *need = model__extra(model, ev->code);

	if (!need || take(extra, need->reg, ev->config1))
		return true;
	need = other(model, need);
	return need && !(ev->config1 & ~need->valid) && take(extra, need->reg, ev->config1);
}

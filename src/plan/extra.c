// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/extra.h"

enum { RSP_0, RSP_1, LDLAT, FRONTEND };

static bool take_extra_reg(struct extra_regs *extra, int reg, uint64_t val)
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
		take_extra_reg(extra, i ? RSP_1 : RSP_0, machine->sibling_offcore[i]);
}

bool extra__take(const struct model *model, struct extra_regs *extra, const struct plan_event *ev)
{
	if (!model->has_extra_regs)
		return true;
	switch (ev->code & 0xffff) {
	case 0x01b7:
		return take_extra_reg(extra, RSP_0, ev->config1) ||
		       (!model->one_offcore && take_extra_reg(extra, RSP_1, ev->config1));
	case 0x01bb:
		return take_extra_reg(extra, RSP_1, ev->config1) ||
		       take_extra_reg(extra, RSP_0, ev->config1);
	case 0x01cd:
		return take_extra_reg(extra, LDLAT, ev->config1);
	case 0x01c6:
		return take_extra_reg(extra, FRONTEND, ev->config1);
	default:
		return true;
	}
}

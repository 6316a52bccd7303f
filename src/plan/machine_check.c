// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/machine_check.h"

#include <errno.h>
#include <stdio.h>

#include "plan/quirks.h"
#include "util/log.h"

/* 0, or -EINVAL: the machine lacks one of these general counters. */
static int check_exist(const struct plan_machine *machine, const char *option, uint64_t counters)
{
	uint64_t general = quirks__general(machine);
	int cnt = __builtin_popcountll(general);

	if (!(counters & ~general))
		return 0;
	log_error("--%s: there are only %d general counters, PMC0 to PMC%d", option, cnt, cnt - 1);
	return -EINVAL;
}

static bool has_northbridge(const struct model *model)
{
	const struct model_rule *rule;

	for (rule = model->rules; rule->what; rule++)
		if (rule->flags & RULE_NORTHBRIDGE)
			return true;
	return model->own_masks;
}

static int check_northbridge(const struct plan_machine *machine)
{
	if (!machine->northbridge || has_northbridge(machine->model))
		return check_exist(machine, "northbridge", machine->northbridge);
	log_error("--northbridge: the events of %s have counters of their own in each core; omit "
		  "it",
		  machine->model->title);
	return -EINVAL;
}

static int check_offcore(const struct plan_machine *machine)
{
	if (!machine->sibling_offcore_cnt || machine->model->shares_offcore)
		return 0;
	log_error("--sibling-offcore: each thread of %s has off-core registers of its own; omit it",
		  machine->model->title);
	return -EINVAL;
}

int machine_check__counters(const struct plan_machine *machine)
{
	char option[32];
	int err = 0;

	if (machine->watchdog_counter >= 0) {
		snprintf(option, sizeof(option), "nmi-watchdog PMC%d", machine->watchdog_counter);
		err = check_exist(machine, option, COUNTER_BIT(machine->watchdog_counter));
	}
	if (!err)
		err = check_exist(machine, "sibling", machine->sibling_corrupting);
	if (!err)
		err = check_exist(machine, "sibling-other", machine->sibling_other);
	if (!err)
		err = check_offcore(machine);
	return err ? err : check_northbridge(machine);
}

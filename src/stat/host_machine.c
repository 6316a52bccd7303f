// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "stat/host_machine.h"

#include <errno.h>

#include "event/pmu.h"
#include "plan/quirks.h"
#include "kernel/checkup.h"

static int group_size(const struct host *host)
{
	struct pmu *pmu = pmu__load(host->pmu);
	int size = pmu ? checkup__group_size(pmu) : -errno;

	pmu__free(pmu);
	return size;
}

/* The core's model if it has all of its counters here; a hypervisor may give fewer. */
static const struct model *arm_model(const struct host *host, unsigned int general_cnt)
{
	if (host->cpu && (unsigned int)__builtin_popcountll(host->cpu->general) == general_cnt)
		return host->cpu;
	return model__armv8(general_cnt);
}

/* Hypervisors give four of AMD's six counters. */
static void count_amd(const struct host *host, struct plan_machine *machine)
{
	int size = group_size(host);

	if (size > 0 && size < __builtin_popcountll(machine->model->general))
		machine->model = model__x86((unsigned int)size, false);
}

static int count_counters(const struct host *host, const struct model **model)
{
	int size = group_size(host);

	if (size <= 0 || size > 32)
		return size < 0 ? size : -EINVAL;
	/* cycles fits on all of these counters, and on a fixed one if there is one. */
	if (host->kind == HOST_ARM)
		*model = arm_model(host, (unsigned int)size - 1);
	else if (host->kind == HOST_INTEL)
		*model = model__x86((unsigned int)size - 1, true);
	else
		*model = model__x86((unsigned int)size, false);
	return *model ? 0 : -EINVAL;
}

int host_machine__describe(struct host *host, struct plan_machine *machine)
{
	int err = host__find(host), size;

	if (err)
		return err;
	machine->model = host->model;
	if (!machine->model)
		err = count_counters(host, &machine->model);
	if (err)
		return err;
	host__describe(host, machine);
	if (host->kind == HOST_KNOWN && !machine->model->has_extra_regs &&
	    machine->model->policy == POLICY_WEIGHT)
		count_amd(host, machine);
	if (host->kind == HOST_KNOWN && !machine->ht &&
	    machine->model->general != machine->model->general_ht_off) {
		size = group_size(host);
		quirks__set_group_size(machine, size > 0 ? (unsigned int)size : 0);
	}
	return 0;
}

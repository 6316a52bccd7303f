// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "stat/host_machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "event/event.h"
#include "event/pmu.h"
#include "plan/model_tables.h"
#include "plan/quirks.h"
#include "kernel/checkup.h"
#include "perf/perf_probe.h"

static int group_size(const struct host *host)
{
	struct pmu *pmu = pmu__load(host->pmu);
	int size = pmu ? checkup__group_size(pmu) : -errno;

	pmu__free(pmu);
	return size;
}

/*
 * The core's model if it has all of its counters here; a hypervisor may give fewer. `size`: that
 * of the largest group of cycles, for which some cores have no counter of their own.
 */
static const struct model *arm_model(const struct host *host, unsigned int size)
{
	struct plan_machine machine = { .model = host->cpu, .kernel = host__kernel() };
	struct plan_event cycles = { .is_hw = true, .code = 0x11 };
	unsigned int general_cnt = size - 1;

	if (host->cpu) {
		quirks__constrain(&machine, &cycles);
		general_cnt = size - (cycles.counters & ~COUNTERS_GENERAL ? 1 : 0);
	}
	if (host->cpu && (unsigned int)__builtin_popcountll(host->cpu->general) == general_cnt)
		return host->cpu;
	return model__armv8(general_cnt);
}

/*
 * Hypervisors give four of AMD's six counters. The group that was tried is of cycles, which family
 * 15h counts on three of them.
 */
static void count_amd(const struct host *host, struct plan_machine *machine)
{
	struct plan_event cycles = { .is_hw = true };
	int size = group_size(host);

	quirks__set_group_size(machine, size > 0 ? (unsigned int)size : 0);
	cycles.code = machine->model->names->hw[PERF_COUNT_HW_CPU_CYCLES];
	quirks__constrain(machine, &cycles);
	if (size > 0 && size < __builtin_popcountll(cycles.counters))
		machine->model = model__x86((unsigned int)size, false);
}

static int count_counters(const struct host *host, const struct model **model)
{
	int size = group_size(host);

	if (size <= 0 || size > 32)
		return size < 0 ? size : -EINVAL;
	/* cycles fits on all of these counters, and on a fixed one if there is one. */
	if (host->kind == HOST_ARM)
		*model = arm_model(host, (unsigned int)size);
	else if (host->kind == HOST_INTEL)
		*model = model__x86((unsigned int)size - 1, true);
	else
		*model = model__x86((unsigned int)size, false);
	return *model ? 0 : -EINVAL;
}

/* Notes the event of an alias, "event=0x11", if it is a common one. */
static void note_common(struct model *model, const struct pmu *pmu, const char *alias)
{
	char *terms = pmu__alias_terms(pmu, alias);

	if (terms && !strncmp(terms, "event=", 6)) {
		uint64_t code = strtoull(terms + 6, NULL, 0), at = code & ~PMCEID_EXT;

		if (at <= 0x3f)
			model->announced[code >= PMCEID_EXT] |= 1ull << at;
	}
	free(terms);
}

/*
 * Returns the model of this machine's PMU with the common events that it announces: the kernel
 * shows these alone (kernel: armv8pmu_event_attr_is_visible()).
 */
static const struct model *with_announced(const struct model *model, const char *pmu_name)
{
	static struct model announcing;
	struct pmu *pmu;
	char **aliases = NULL;
	size_t cnt = 0, i;

	if (!model || (model->rules != model_rules_armv8 && model->rules != model_rules_olympus))
		return model;
	announcing = *model;
	announcing.announced[0] = announcing.announced[1] = 0;
	pmu = pmu__load(pmu_name);
	if (pmu && !pmu__aliases(pmu_name, &aliases, &cnt))
		for (i = 0; i < cnt; i++)
			note_common(&announcing, pmu, aliases[i]);
	pmu__free_names(aliases, cnt);
	pmu__free(pmu);
	return &announcing;
}

const struct model *host_machine__cpu(void)
{
	struct host host = { 0 };

	return host__find(&host) ? NULL : with_announced(host.cpu, host.pmu);
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
	machine->model = with_announced(machine->model, host->pmu);
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

void host_machine__ask(struct plan *plan, size_t first, const struct event_list *list)
{
	size_t i;

	for (i = 0; i < list->cnt && first + i < plan->event_cnt; i++) {
		/* A metric opens beside its leader only: plan/group.c checks that. */
		bool asks = event__is_hw(list->events[i]) &&
			    !(plan->events[first + i].flags & RULE_METRIC);
		int err = asks ? perf_probe__open(list->events[i]) : 0;

		plan->events[first + i].absent =
			err == -ENOENT || err == -EINVAL || err == -EOPNOTSUPP || err == -ENODEV;
	}
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "stat/host_machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "event/event.h"
#include "event/pmu.h"
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

/* The core's model if it has all of its counters here; a hypervisor may give fewer. */
static const struct model *arm_model(const struct host *host, unsigned int general_cnt)
{
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

/* The architecture's common events; a PMU says in PMCEID which of them it has. */
#define ARM_COMMON_END 0x40

/* The kernel shows the events of PMCEID alone (armv8pmu_event_attr_is_visible()). */
static bool is_listed(const struct pmu *pmu, char *const *aliases, size_t cnt, uint64_t code)
{
	size_t i;

	for (i = 0; i < cnt; i++) {
		char *terms = pmu__alias_terms(pmu, aliases[i]);
		bool is_it = terms && !strncmp(terms, "event=", 6) &&
			     strtoull(terms + 6, NULL, 0) == code;

		free(terms);
		if (is_it)
			return true;
	}
	return false;
}

static void mark_unlisted(struct plan *plan, const char *pmu_name)
{
	struct pmu *pmu = pmu__load(pmu_name);
	char **aliases = NULL;
	size_t cnt = 0, i;

	if (pmu && !pmu__aliases(pmu_name, &aliases, &cnt))
		for (i = 0; i < plan->event_cnt && cnt; i++) {
			struct plan_event *ev = &plan->events[i];

			ev->unlisted = ev->is_hw && ev->is_raw && ev->code < ARM_COMMON_END &&
				       !is_listed(pmu, aliases, cnt, ev->code);
		}
	pmu__free_names(aliases, cnt);
	pmu__free(pmu);
}

void host_machine__ask(struct plan *plan, size_t first, const struct event_list *list)
{
	struct host host;
	size_t i;

	for (i = 0; i < list->cnt && first + i < plan->event_cnt; i++) {
		/* A metric opens beside its leader only: plan/group.c checks that. */
		bool asks = event__is_hw(list->events[i]) &&
			    !(plan->events[first + i].flags & RULE_METRIC);
		int err = asks ? perf_probe__open(list->events[i]) : 0;

		plan->events[first + i].absent =
			err == -ENOENT || err == -EINVAL || err == -EOPNOTSUPP || err == -ENODEV;
	}
	if (!host__find(&host) && host.kind == HOST_ARM)
		mark_unlisted(plan, host.pmu);
}

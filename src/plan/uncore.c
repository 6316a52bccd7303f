// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/uncore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/pmu.h"
#include "plan/host.h"
#include "plan/uncore_tables.h"

/* The kernel's UNCORE_FIXED_EVENT: its filters are not asked for. */
#define CLOCK 0xff

#define POINT_TO(name) &model_##name,
const struct model *const uncore_models[] = { UNCORE_LIST(POINT_TO) NULL };

const struct model_names model_names_uncore = { .any_cache = false };
const struct model_rule model_rules_box[] = { NO_CLOCK, RULES_END };
const struct model_rule model_rules_box_clock[] = { WITH_CLOCK, RULES_END };

/* kernel: hw_config() of the box */
unsigned int uncore__parts(const struct model *model, uint64_t code)
{
	const struct uncore_filter *filter = model->uncore->filters;
	unsigned int parts = 0;

	for (; filter && filter->mask && code != CLOCK; filter++)
		if ((code & filter->mask) == filter->code)
			parts |= filter->parts;
	return parts;
}

bool uncore__take(const struct model *model, struct extra_regs *regs, const struct plan_event *ev,
		  uint8_t *like)
{
	unsigned int parts = uncore__parts(model, ev->code), i;
	uint8_t none = 0;

	if (model->uncore->take)
		return ev->code == CLOCK || model->uncore->take(regs, ev, like ? like : &none);
	for (i = 0; i < UNCORE_PARTS; i++)
		if (parts & 1u << i && !extra__hold(regs, i, ev->config1 & model->uncore->bits[i]))
			return false;
	return !parts || !model->uncore->with_config2 ||
	       extra__hold(regs, UNCORE_PARTS, ev->config2);
}

enum plan_refusal uncore__check(const struct plan_machine *machine, const struct plan_event *ev,
				enum plan_ctx ctx)
{
	if (machine->samples)
		return PLAN_NOT_SAMPLED;
	if (ev->excludes)
		return PLAN_ALL_MODES;
	return ctx == PLAN_CTX_TASK ? PLAN_CPUS_ONLY : PLAN_OPENS;
}

/* The platforms of boxes that go by another name than the cores'. */
static const struct {
	const char *cpu, *platform;
} platforms[] = {
	{ "hsw", "hsw_ep" }, { "bdw", "bdw_ep" }, { "clx", "skx" }, { "ivb", "snb" },
	{ "hsw", "snb" },    { "bdw", "snb" },    { "skl", "snb" }, { "tnt", "snr" },
	{ "mtl", "adl" },    { "arl", "mtl" },    { "arl", "adl" }, { "lnl", "adl" },
	{ "srf", "gnr" },    { "cwf", "gnr" },    { "wsm", "nhm" }, { "nhm", "nhmex" },
	{ "wsm", "wsmex" },  { "wsm", "nhmex" },
};

/* The part of a PMU's name in sysfs that models' names have; NULL: it is no such PMU. */
static const char *box_of(const char *pmu)
{
	if (!strncmp(pmu, "uncore_", 7))
		return pmu + 7;
	if (!strncmp(pmu, "amd_", 4))
		return pmu + 4;
	return strcmp(pmu, "uncore") ? NULL : pmu;
}

static const struct model *find_box(const char *platform, const char *box)
{
	size_t len = strlen(platform);
	const struct model *const *m;

	for (m = uncore_models; *m; m++)
		if (!strncmp((*m)->name, platform, len) && (*m)->name[len] == '_' &&
		    !strcmp((*m)->name + len + 1, box))
			return *m;
	return NULL;
}

/* Finds the box of a family of cores, be it by its own name or another family's. */
static const struct model *find_kin(const char *cpu, const char *box)
{
	const struct model *found = find_box(cpu, box);
	size_t i;

	for (i = 0; i < sizeof(platforms) / sizeof(platforms[0]) && !found; i++)
		if (!strcmp(platforms[i].cpu, cpu))
			found = find_box(platforms[i].platform, box);
	return found;
}

const struct model *uncore__of_kin(const char *name)
{
	const struct model *found = NULL, *cores;
	const char *box = name;
	char *cpu;

	while (!found && (box = strchr(box, '_'))) {
		cpu = strndup(name, (size_t)(box - name));
		cores = cpu ? model__find(cpu) : NULL;
		free(cpu);
		box++;
		found = cores && !cores->uncore ? find_kin(cores->name, box) : NULL;
	}
	return found;
}

const struct model *uncore__of_host(const char *pmu)
{
	const struct model *found = NULL;
	struct host host = { 0 };
	struct pmu *there = pmu__load(pmu);
	char *name;
	size_t i;

	if (!there || !box_of(pmu) || host__find(&host) || !host.cpu) {
		pmu__free(there);
		return NULL;
	}
	pmu__free(there);
	/* Several boxes have a number each. */
	name = strdup(pmu);
	if (!name)
		return NULL;
	i = strlen(name);
	while (i && name[i - 1] >= '0' && name[i - 1] <= '9')
		i--;
	if (i && name[i] && name[i - 1] == '_')
		name[i - 1] = '\0';
	found = find_kin(host.cpu->name, box_of(name));
	free(name);
	return found;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/pmu_model.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/names.h"

/* /sys/bus/event_source/devices/cpu/format on Intel's CPUs. */
static const struct pmu_field intel_fields[] = {
	{ "event", 0, 0xff },          { "umask", 0, 0xff00 },
	{ "edge", 0, 1ull << 18 },     { "pc", 0, 1ull << 19 },
	{ "any", 0, 1ull << 21 },      { "inv", 0, 1ull << 23 },
	{ "cmask", 0, 0xff000000 },    { "in_tx", 0, 1ull << 32 },
	{ "in_tx_cp", 0, 1ull << 33 }, { "ldlat", 1, 0xffff },
	{ "offcore_rsp", 1, ~0ull },   { "frontend", 1, 0xffffff },
	{ "snoop_rsp", 1, ~0ull },     { NULL, 0, 0 },
};

/* On AMD's: four more bits of the event's code. */
static const struct pmu_field amd_fields[] = {
	{ "event", 0, 0xf000000ff }, { "umask", 0, 0xff00 },     { "edge", 0, 1ull << 18 },
	{ "inv", 0, 1ull << 23 },    { "cmask", 0, 0xff000000 }, { NULL, 0, 0 },
};

/* …/armv8_pmuv3_0/format */
static const struct pmu_field arm_fields[] = {
	{ "event", 0, 0xffff },
	{ "long", 1, 1 },
	{ "rdpmc", 1, 2 },
	{ NULL, 0, 0 },
};

static const struct pmu_field mask_fields[] = {
	{ "counters", 0, ~0ull },           { "corrupting", 1, OWN_MASK_CORRUPTING },
	{ "overlap", 1, OWN_MASK_OVERLAP }, { "northbridge", 1, OWN_MASK_NORTHBRIDGE },
	{ "pair", 1, OWN_MASK_PAIR },       { NULL, 0, 0 },
};

static const struct pmu_field *const fields_of[] = {
	[PMU_MODEL_INTEL] = intel_fields,
	[PMU_MODEL_AMD] = amd_fields,
	[PMU_MODEL_ARM] = arm_fields,
	[PMU_MODEL_MASKS] = mask_fields,
};

static struct pmu_model used;

void pmu_model__use(const struct pmu_model *model)
{
	used = model ? *model : (struct pmu_model){ 0 };
}

/* Is the rest of a name the number of a PMU, "_3", or nothing? */
static bool is_number(const char *rest)
{
	return !*rest ||
	       (*rest == '_' && rest[1] && strspn(rest + 1, "0123456789") == strlen(rest + 1));
}

/* "uncore_cbox" for "uncore_cbox", "cbox", and with the number of a box: "uncore_cbox_3". */
static bool is_uncore(const char *name)
{
	const char *own = used.name;
	size_t len;

	if (!strncmp(own, "uncore_", 7) && strncmp(name, "uncore_", 7) != 0)
		own += 7;
	len = strlen(own);
	if (strncmp(name, own, len) != 0)
		return false;
	return is_number(name + len);
}

bool pmu_model__is(const char *name)
{
	if (used.name && used.kind == PMU_MODEL_UNCORE)
		return is_uncore(name);
	if (!used.name || used.kind == PMU_MODEL_MASKS || !strcmp(name, "cpu"))
		return used.name;
	/* "armv8_pmuv3" for "armv8_pmuv3_0", as in perf. */
	return !strncmp(name, used.name, strlen(name)) && is_number(used.name + strlen(name));
}

const char *pmu_model__name(void)
{
	return used.name;
}

static const struct pmu_field *fields(void)
{
	return used.kind == PMU_MODEL_UNCORE ? used.fields : fields_of[used.kind];
}

struct pmu *pmu_model__load(const char *name)
{
	const struct pmu_field *field;
	struct pmu *pmu = calloc(1, sizeof(*pmu));
	size_t cnt = 0;

	if (!pmu)
		return NULL;
	/* "cpu" is the PMU by its own name. */
	pmu->name = strdup(used.kind == PMU_MODEL_MASKS ? name : used.name);
	pmu->type = PERF_TYPE_RAW;
	pmu->is_core = true;
	for (field = fields(); field->name; field++)
		cnt++;
	pmu->formats = calloc(cnt, sizeof(*pmu->formats));
	if (!pmu->name || !pmu->formats)
		goto no_mem;
	for (field = fields(); field->name; field++) {
		struct pmu_format *format = &pmu->formats[pmu->format_cnt++];

		format->name = strdup(field->name);
		format->word = field->word;
		format->mask = field->mask;
		if (!format->name)
			goto no_mem;
	}
	return pmu;
no_mem:
	pmu__free(pmu);
	return NULL;
}

void pmu_model__suggest(struct suggest *sg)
{
	const struct pmu_word *word = used.words;
	const struct event_name *en;

	for (; word && word->name; word++)
		suggest__offer(sg, word->name);
	for (en = event_names; used.hw && en->name; en++)
		if (en->type == PERF_TYPE_HARDWARE && used.hw[en->config])
			suggest__offer(sg, en->alias ?: en->name);
}

const char *pmu_model__list(void)
{
	return used.name ? "bpfperf list --pmu MODEL" : "bpfperf list";
}

bool pmu_model__names_counters(void)
{
	return used.name && used.kind == PMU_MODEL_MASKS;
}

static const struct pmu_word *find_word(const char *alias)
{
	const struct pmu_word *word = used.words;

	for (; word && word->name; word++)
		if (!strcmp(word->name, alias))
			return word;
	return NULL;
}

bool pmu_model__has_word(const char *alias)
{
	return find_word(alias) != NULL;
}

char *pmu_model__terms(const char *alias)
{
	const struct pmu_word *word = find_word(alias);
	enum event_kind kind;
	uint64_t config;
	uint32_t type;
	char *terms;

	if (word)
		return strdup(word->terms);
	errno = ENOENT;
	if (!used.hw || event_names__lookup(alias, &kind, &type, &config) ||
	    type != PERF_TYPE_HARDWARE || config > 9 || !used.hw[config])
		return NULL;
	if (asprintf(&terms, "config=0x%llx", (unsigned long long)used.hw[config]) >= 0)
		return terms;
	errno = ENOMEM;
	return NULL;
}

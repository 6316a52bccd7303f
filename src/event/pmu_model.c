// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/pmu_model.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

struct model_format {
	const char *name;
	uint8_t word;
	uint64_t mask;
};

/* /sys/bus/event_source/devices/cpu/format on Intel's CPUs. */
static const struct model_format intel_formats[] = {
	{ "event", 0, 0xff },       { "umask", 0, 0xff00 },      { "edge", 0, 1ull << 18 },
	{ "pc", 0, 1ull << 19 },    { "any", 0, 1ull << 21 },    { "inv", 0, 1ull << 23 },
	{ "cmask", 0, 0xff000000 }, { "in_tx", 0, 1ull << 32 },  { "in_tx_cp", 0, 1ull << 33 },
	{ "ldlat", 1, 0xffff },     { "offcore_rsp", 1, ~0ull }, { "frontend", 1, 0xffffff },
};

static const struct model_format mask_formats[] = {
	{ "counters", 0, ~0ull },           { "corrupting", 1, OWN_MASK_CORRUPTING },
	{ "overlap", 1, OWN_MASK_OVERLAP }, { "northbridge", 1, OWN_MASK_NORTHBRIDGE },
	{ "pair", 1, OWN_MASK_PAIR },
};

#define FORMAT_CNT(formats) (sizeof(formats) / sizeof((formats)[0]))

static bool is_intel, is_masks;

void pmu_model__use_intel(bool on)
{
	is_intel = on;
}

void pmu_model__use_masks(bool on)
{
	is_masks = on;
}

bool pmu_model__is(const char *name)
{
	return is_masks || (is_intel && !strcmp(name, "cpu"));
}

struct pmu *pmu_model__load(const char *name)
{
	const struct model_format *formats = is_masks ? mask_formats : intel_formats;
	size_t cnt = is_masks ? FORMAT_CNT(mask_formats) : FORMAT_CNT(intel_formats);
	struct pmu *pmu = calloc(1, sizeof(*pmu));
	size_t i;

	if (!pmu)
		return NULL;
	pmu->name = strdup(name);
	pmu->type = PERF_TYPE_RAW;
	pmu->is_core = true;
	pmu->formats = calloc(cnt, sizeof(*pmu->formats));
	if (!pmu->name || !pmu->formats)
		goto no_mem;
	for (i = 0; i < cnt; i++) {
		pmu->formats[i].name = strdup(formats[i].name);
		pmu->formats[i].word = formats[i].word;
		pmu->formats[i].mask = formats[i].mask;
		pmu->format_cnt++;
		if (!pmu->formats[i].name)
			goto no_mem;
	}
	return pmu;
no_mem:
	pmu__free(pmu);
	return NULL;
}

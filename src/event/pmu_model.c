// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/pmu_model.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

/* /sys/bus/event_source/devices/cpu/format on Intel's CPUs. */
static const struct {
	const char *name;
	uint8_t word;
	uint64_t mask;
} intel_formats[] = {
	{ "event", 0, 0xff },       { "umask", 0, 0xff00 },      { "edge", 0, 1ull << 18 },
	{ "pc", 0, 1ull << 19 },    { "any", 0, 1ull << 21 },    { "inv", 0, 1ull << 23 },
	{ "cmask", 0, 0xff000000 }, { "in_tx", 0, 1ull << 32 },  { "in_tx_cp", 0, 1ull << 33 },
	{ "ldlat", 1, 0xffff },     { "offcore_rsp", 1, ~0ull }, { "frontend", 1, 0xffffff },
};

#define FORMAT_CNT (sizeof(intel_formats) / sizeof(intel_formats[0]))

static bool is_used;

void pmu_model__use_intel(bool on)
{
	is_used = on;
}

bool pmu_model__is(const char *name)
{
	return is_used && !strcmp(name, "cpu");
}

struct pmu *pmu_model__load(void)
{
	struct pmu *pmu = calloc(1, sizeof(*pmu));
	size_t i;

	if (!pmu)
		return NULL;
	pmu->name = strdup("cpu");
	pmu->type = PERF_TYPE_RAW;
	pmu->is_core = true;
	pmu->formats = calloc(FORMAT_CNT, sizeof(*pmu->formats));
	if (!pmu->name || !pmu->formats)
		goto no_mem;
	for (i = 0; i < FORMAT_CNT; i++) {
		pmu->formats[i].name = strdup(intel_formats[i].name);
		pmu->formats[i].word = intel_formats[i].word;
		pmu->formats[i].mask = intel_formats[i].mask;
		pmu->format_cnt++;
		if (!pmu->formats[i].name)
			goto no_mem;
	}
	return pmu;
no_mem:
	pmu__free(pmu);
	return NULL;
}

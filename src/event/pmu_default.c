// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Fields that perf sets in events of trace units unless their terms do. The values are those of
 * perf's tools/perf/arch/x86/util/intel-pt.c, arm/util/cs-etm.c and arm64/util/arm-spe.c, so that a
 * recording of `intel_pt//` is made with one configuration by both tools.
 */
#include <string.h>

#include "event/pmu.h"

/* The period that perf takes if the CPU has it; else the next shorter one, else the shortest. */
#define PT_PERIOD 3

static void set_if_known(const struct pmu *pmu, struct event *ev, const char *name, uint64_t val)
{
	const struct pmu_format *format = pmu__format(pmu, name);

	if (format && val <= pmu_format__max(format))
		pmu_format__set(format, ev, val);
}

/* Returns the number, or `missing` if sysfs does not have it. */
static uint64_t read_cap(const struct pmu *pmu, const char *file, int base, uint64_t missing)
{
	uint64_t val;

	return pmu__read_number(pmu->name, file, base, &val) ? missing : val;
}

/* Returns the bit of `bits` that is PT_PERIOD or the next below, else the lowest; bits is not 0. */
static uint64_t pick_period(uint64_t bits)
{
	uint64_t low = bits & (~0ULL >> (63 - PT_PERIOD));

	return low ? 63 - (uint64_t)__builtin_clzll(low) : (uint64_t)__builtin_ctzll(bits);
}

static void set_intel_pt(const struct pmu *pmu, struct event *ev)
{
	uint64_t mtc_periods = 0, psb_periods = 0;

	set_if_known(pmu, ev, "tsc", 1);
	if (read_cap(pmu, "caps/mtc", 10, 1))
		mtc_periods = read_cap(pmu, "caps/mtc_periods", 16, 0);
	if (mtc_periods) {
		set_if_known(pmu, ev, "mtc", 1);
		set_if_known(pmu, ev, "mtc_period", pick_period(mtc_periods));
		if (read_cap(pmu, "caps/psb_cyc", 10, 1))
			psb_periods = read_cap(pmu, "caps/psb_periods", 16, 0);
	}
	if (psb_periods)
		set_if_known(pmu, ev, "psb_period", pick_period(psb_periods));
	if (pmu__format(pmu, "pt") && pmu__format(pmu, "branch")) {
		set_if_known(pmu, ev, "pt", 1);
		set_if_known(pmu, ev, "branch", 1);
	}
}

void pmu__set_defaults(const struct pmu *pmu, struct event *ev)
{
	if (!strcmp(pmu->name, "intel_pt")) {
		set_intel_pt(pmu, ev);
	} else if (!strcmp(pmu->name, "cs_etm")) {
		/* Readers tell tasks apart by them where an area is a CPU's. */
		set_if_known(pmu, ev, "timestamp", 1);
		set_if_known(pmu, ev, "contextid", 1);
	} else if (!strncmp(pmu->name, "arm_spe_", 8)) {
		set_if_known(pmu, ev, "ts_enable", 1);
	}
}

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The core PMU of another CPU model: PMU/term=value/ for a CPU that differs from this machine's. */
#ifndef BPFPERF_EVENT_PMU_MODEL_H
#define BPFPERF_EVENT_PMU_MODEL_H

#include <stdbool.h>

#include "event/pmu.h"

/*
 * Makes the PMU "cpu" that of any Intel CPU since Nehalem: it has the fields that are common to
 * their sysfs directories, and no named events. false: this machine's PMUs again.
 */
void pmu_model__use_intel(bool on);
/* The terms of a PMU with events that name their counters; config1 is a set of them. */
enum own_mask_term {
	OWN_MASK_CORRUPTING = 1 << 1,
	OWN_MASK_OVERLAP = 1 << 2,
	OWN_MASK_NORTHBRIDGE = 1 << 8,
	OWN_MASK_PAIR = 1 << 9,
};
/*
 * Makes every name a PMU with events that name their counters: A/counters=0x9,overlap/. The
 * mask becomes config, 0: any counter; the terms without a value become config1. false: this
 * machine's PMUs again.
 */
void pmu_model__use_masks(bool on);
/* true if `name` is the PMU that replaces the one in sysfs. */
bool pmu_model__is(const char *name);
/* Returns that PMU; NULL and errno ENOMEM. Free with pmu__free(). */
struct pmu *pmu_model__load(const char *name);

#endif

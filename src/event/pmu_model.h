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
/* true if `name` is the PMU that replaces the one in sysfs. */
bool pmu_model__is(const char *name);
/* Returns that PMU; NULL and errno ENOMEM. Free with pmu__free(). */
struct pmu *pmu_model__load(void);

#endif

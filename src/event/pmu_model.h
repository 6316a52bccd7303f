/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The core PMU of a CPU that is not this machine's: PMU/term=value/ for another model. */
#ifndef BPFPERF_EVENT_PMU_MODEL_H
#define BPFPERF_EVENT_PMU_MODEL_H

#include <stdbool.h>

#include "event/pmu.h"

/*
 * From now on the PMU "cpu" is that of any Intel CPU since Nehalem: the fields its sysfs directory
 * has on all of them, no events by name. false: this machine's PMUs again.
 */
void pmu_model__use_intel(bool on);
/* true where `name` is the PMU in use in place of sysfs. */
bool pmu_model__is(const char *name);
/* That PMU; NULL and errno ENOMEM. Free with pmu__free(). */
struct pmu *pmu_model__load(void);

#endif

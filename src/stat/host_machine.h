/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_STAT_HOST_MACHINE_H
#define BPFPERF_STAT_HOST_MACHINE_H

#include "plan/host.h"
#include "plan/plan.h"

/*
 * Describes this machine's core PMU for src/plan/: from its tables, else by probing its counters.
 * 0; -ENODEV: there is no core PMU; another -errno: counters cannot be opened.
 */
int host_machine__describe(struct host *host, struct plan_machine *machine);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_STAT_HOST_MACHINE_H
#define BPFPERF_STAT_HOST_MACHINE_H

#include "plan/host.h"
#include "plan/plan.h"

/*
 * This machine's core PMU for the plans of src/plan/: from its tables, else its counters are tried
 * out. 0; -ENODEV: it has none; another -errno: they cannot be counted.
 */
int host_machine__describe(struct host *host, struct plan_machine *machine);

#endif

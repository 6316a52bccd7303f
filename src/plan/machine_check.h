/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Checks options about a machine against its model. */
#ifndef BPFPERF_PLAN_MACHINE_CHECK_H
#define BPFPERF_PLAN_MACHINE_CHECK_H

#include "plan/plan.h"

/*
 * Checks the counters of the watchdog, the other thread and other cores: 0; -EINVAL: the model does
 * not have these counters, or nothing that could use them; one sentence by explain's option is
 * logged.
 */
int machine_check__counters(const struct plan_machine *machine);

#endif

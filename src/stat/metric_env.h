/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Facts of the machine that metric expressions ask for: literals, and whether an event exists. */
#ifndef BPFPERF_STAT_METRIC_ENV_H
#define BPFPERF_STAT_METRIC_ENV_H

#include <stdbool.h>

struct event;

/*
 * Sets the value of #smt_on, #num_cpus, #slots and the like; by_cpu: CPUs are counted, not tasks.
 * false: it is unknown.
 */
bool metric_env__literal(const char *name, bool by_cpu, double *value);
/*
 * Does this machine have the event? Its name is as in event_list__add(); an event of a CPU's PMU
 * needs such a PMU. No message. is_hw (may be NULL): it takes a counter of the CPU; cnt (may be
 * NULL): number of events that the name stands for, such as one for each memory controller.
 */
bool metric_env__has_event(const char *name, bool *is_hw, unsigned int *cnt);

#endif

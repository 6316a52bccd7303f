/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stat --fit: spreads the events over as few runs as possible so that none is multiplexed. */
#ifndef BPFPERF_STAT_FIT_H
#define BPFPERF_STAT_FIT_H

#include <stddef.h>

struct event;

/*
 * Determines the run of each event, 0 … *run_cnt - 1, by opening events as one group: the kernel
 * checks a group against the PMU's constraints. Groups stay together, unless they have W and are
 * too large; an exclusive event is alone on its PMU; software events and refused events are in run
 * 0. For up to STAT_FIT_EXACT groups of a PMU the number of runs is minimal, beyond that first fit
 * is used. cpu: a CPU of the events, else -1 (this thread). 0, or -errno, logged.
 */
#define STAT_FIT_EXACT 10

int stat_fit__find(const struct event *const *events, size_t cnt, int cpu, size_t *run,
		   size_t *run_cnt);

#endif

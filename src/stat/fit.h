/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stat --fit: the events in as few runs as they need for none to wait for another. */
#ifndef BPFPERF_STAT_FIT_H
#define BPFPERF_STAT_FIT_H

#include <stddef.h>

struct event;

/*
 * Finds for each event the run it is counted in, 0 … *run_cnt - 1, by asking the kernel which of
 * them it would take as one group: it checks a group against the PMU's constraints when it is
 * opened. Groups stay together, unless they have W and are too large; what is exclusive is alone
 * with its PMU; software events and what is refused anyhow are in run 0. Up to STAT_FIT_EXACT
 * groups of a PMU the number of runs is the least there is, beyond that first fit. cpu: of a CPU's
 * events, else -1 (this thread's). 0, or -errno (said).
 */
#define STAT_FIT_EXACT 10

int stat_fit__find(const struct event *const *events, size_t cnt, int cpu, size_t *run,
		   size_t *run_cnt);

#endif

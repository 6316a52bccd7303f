/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Machines with core PMUs of several kinds (cpu_core, cpu_atom): a generic event is two events
 * there, since each PMU counts only what its own CPUs do.
 */
#ifndef BPFPERF_STAT_HYBRID_H
#define BPFPERF_STAT_HYBRID_H

struct event_list;

/*
 * Replaces each generic hardware event by one for each of the machine's core PMUs, named as perf
 * does: "cpu_core/cycles/". A group of hardware and software events becomes one group for each PMU.
 * On other machines the list stays as it is. 0 or -ENOMEM.
 */
int stat_hybrid__expand(struct event_list *list);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_STAT_HOST_MACHINE_H
#define BPFPERF_STAT_HOST_MACHINE_H

#include <stddef.h>

#include "plan/host.h"
#include "plan/plan.h"

struct event_list;

/*
 * Describes this machine's core PMU for src/plan/: from its tables, else by probing its counters.
 * 0; -ENODEV: there is no core PMU; another -errno: counters cannot be opened.
 */
int host_machine__describe(struct host *host, struct plan_machine *machine);
/*
 * The model of this machine's CPU; on arm64 with the common events that its PMU announces. NULL: it
 * is none of the models.
 */
const struct model *host_machine__cpu(void);

/*
 * Asks the kernel, by opening and closing each hardware event of `list`, whether this machine's PMU
 * has it; plan events first … are those of the list. Sets plan_event.absent of those that are
 * refused.
 * Events that this user may not open are left alone. Before plan__open().
 */
void host_machine__ask(struct plan *plan, size_t first, const struct event_list *list);

#endif

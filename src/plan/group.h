/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The checks of perf_event_open() when the events of a group are opened, one by one. */
#ifndef BPFPERF_PLAN_GROUP_H
#define BPFPERF_PLAN_GROUP_H

#include <stddef.h>

#include "plan/plan.h"

/*
 * Opens the events of group `at` in their order and sets refusal, group->is_hw and group->broken. A
 * leader must have a counter that can take it; each sibling must fit together with the leader and
 * the earlier siblings that were opened and are not disabled, on an otherwise empty PMU: no
 * watchdog, no limits of the HT erratum. An event that does not fit is refused (EINVAL); those
 * already opened stay. If the leader is refused, none is opened.
 */
void group__open(struct plan *plan, size_t at);
/* May the precise event be opened alone, with the counters that it has? PLAN_OPENS, or why not. */
enum plan_refusal group__check_precise(const struct plan_machine *machine,
				       const struct plan_event *ev);

#endif

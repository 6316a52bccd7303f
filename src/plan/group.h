/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The checks of perf_event_open() when the events of a group are opened, one by one. */
#ifndef BPFPERF_PLAN_GROUP_H
#define BPFPERF_PLAN_GROUP_H

#include <stddef.h>

struct plan;

/*
 * Opens the events of group `at` in their order and sets refusal, group->is_hw and group->broken.
 * A leader must have a counter that can take it; each sibling must fit together with the leader and
 * those siblings before it that opened and are not disabled, on a PMU where nothing else runs: no
 * watchdog, no limits of the HT erratum. What does not fit is refused (EINVAL); those that opened
 * stay. Where the leader is refused nothing opens.
 */
void group__open(struct plan *plan, size_t at);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The reason why an event of bpfperf stat was multiplexed or did not count, and the remedy. */
#ifndef BPFPERF_STAT_DIAGNOSIS_H
#define BPFPERF_STAT_DIAGNOSIS_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/table.h"

struct stat_diagnosis {
	char **texts; /* indexed by row, owned; NULL: no reason */
	bool *shown; /* indexed by row, owned */
	size_t cnt;
};

/* The settings under which the events were counted. */
struct stat_how {
	bool by_cpu; /* whole CPUs, not tasks */
	bool has_begun; /* the -D delay is over */
	bool may_fit; /* --fit is possible but was not given */
};

/*
 * Sets `why` of each row that did not count as requested; `events` are those of `counters`, in
 * order. why is zeroed at first; stat_diagnosis__free() frees the texts. 0 or -ENOMEM.
 */
int stat_diagnosis__fill(struct stat_diagnosis *why, struct stat_table *table,
			 const struct perf_counters *counters, const struct event *const *events,
			 size_t event_cnt, const struct stat_how *how);
/* Returns whether the reason of this row has been shown already. */
bool stat_diagnosis__is_shown(const struct stat_diagnosis *why, size_t row);
void stat_diagnosis__set_shown(struct stat_diagnosis *why, size_t row);
void stat_diagnosis__free(struct stat_diagnosis *why);

#endif

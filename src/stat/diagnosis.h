/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Why an event of bpfperf stat did not count all the time, or not at all, and what to do. */
#ifndef BPFPERF_STAT_DIAGNOSIS_H
#define BPFPERF_STAT_DIAGNOSIS_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/table.h"

struct stat_diagnosis {
	char **texts; /* by row, owned; NULL: no reason */
	bool *told; /* by row, owned */
	size_t cnt;
};

/* How it was counted. */
struct stat_how {
	bool by_cpu; /* whole CPUs, not tasks */
	bool has_begun; /* -D is over */
	bool may_fit; /* --fit could be given, and is not */
};

/*
 * Sets `why` of each row that does not count as asked; `events` are those of `counters`, in
 * order. Begins zeroed; the texts are freed by stat_diagnosis__free(). 0 or -ENOMEM.
 */
int stat_diagnosis__fill(struct stat_diagnosis *why, struct stat_table *table,
			 const struct perf_counters *counters, const struct event *const *events,
			 size_t event_cnt, const struct stat_how *how);
/* Has a reason of this row been shown already? */
bool stat_diagnosis__is_told(const struct stat_diagnosis *why, size_t row);
void stat_diagnosis__set_told(struct stat_diagnosis *why, size_t row);
void stat_diagnosis__free(struct stat_diagnosis *why);

#endif

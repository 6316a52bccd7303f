/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Why an event of bpfperf stat did not count all the time, or not at all, and what to do. */
#ifndef BPFPERF_CMD_STAT_WHY_H
#define BPFPERF_CMD_STAT_WHY_H

#include <stddef.h>

#include "cmd/stat_table.h"

struct stat_why {
	char **texts; /* by row, owned; NULL: nothing to say */
	size_t cnt;
};

/*
 * Sets `why` of each row that does not count as asked; `events` are those of `counters`, in
 * order. Begins zeroed; the texts are freed by stat_why__free(). 0 or -ENOMEM.
 */
int stat_why__fill(struct stat_why *why, struct stat_table *table, const struct counters *counters,
		   const struct event *const *events, size_t event_cnt, bool by_cpu);
void stat_why__free(struct stat_why *why);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The places of bpfperf stat --per-socket, --per-die, --per-core and --per-node, and their CPUs. */
#ifndef BPFPERF_STAT_AGGR_H
#define BPFPERF_STAT_AGGR_H

#include <stddef.h>

#include "perf/perf_counters.h"
#include "host/topology.h"

struct aggr_id {
	struct topology_place id;
	char label[48];
};

struct aggr_ids {
	struct aggr_id *at; /* in order */
	size_t cnt;
	enum topology_level level;
};

/*
 * Finds the places of the CPUs that event_cnt events of `counters` count on. Begins zeroed. 0 or
 * -ENOMEM.
 */
int aggr_ids__find(struct aggr_ids *p, const struct perf_counters *counters, size_t event_cnt,
		   enum topology_level level);
void aggr_ids__free(struct aggr_ids *p);

/* Which CPUs of an event are in place `at` (caller frees); none where *cnt is 0. 0 or -ENOMEM. */
int aggr_ids__cpus(const struct aggr_ids *p, size_t at, const struct perf_counters *counters,
		   size_t event, int **cpus, size_t *cnt);

#endif

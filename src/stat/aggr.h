/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The nodes, sockets, dies or cores of bpfperf stat --per-socket and the like, and their CPUs. */
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
 * Finds the ids of the CPUs that event_cnt events of `counters` count on. p is zeroed at first. 0
 * or -ENOMEM.
 */
int aggr_ids__find(struct aggr_ids *p, const struct perf_counters *counters, size_t event_cnt,
		   enum topology_level level);
void aggr_ids__free(struct aggr_ids *p);

/* Finds the CPUs of an event that belong to id `at` (caller frees); *cnt 0: none. 0 or -ENOMEM. */
int aggr_ids__cpus(const struct aggr_ids *p, size_t at, const struct perf_counters *counters,
		   size_t event, int **cpus, size_t *cnt);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The places of bpfperf stat --per-socket, --per-die, --per-core and --per-node, and their CPUs. */
#ifndef BPFPERF_CMD_STAT_PLACE_H
#define BPFPERF_CMD_STAT_PLACE_H

#include <stddef.h>

#include "session/counters.h"
#include "session/topology.h"

struct stat_place {
	struct topology_place id;
	char label[48];
};

struct stat_places {
	struct stat_place *at; /* in order */
	size_t cnt;
	enum topology_level level;
};

/* Where the CPUs are that event_cnt events of `counters` count on. Begins zeroed. 0 or -ENOMEM. */
int stat_places__find(struct stat_places *p, const struct counters *counters, size_t event_cnt,
		      enum topology_level level);
void stat_places__free(struct stat_places *p);

/* Which CPUs of an event are in place `at` (caller frees); none where *cnt is 0. 0 or -ENOMEM. */
int stat_places__cpus(const struct stat_places *p, size_t at, const struct counters *counters,
		      size_t event, int **cpus, size_t *cnt);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The metrics of stat -M and --topdown: chooses definitions by name or group, adds the events they
 * need, each metric's in a group of its own as perf does, and derives their values, and the bounds
 * of those with events that took turns, from the rows.
 */
#ifndef BPFPERF_STAT_METRIC_SET_H
#define BPFPERF_STAT_METRIC_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/metric_defs.h"
#include "stat/stat.h"

struct event_list;
struct metric_expr;
struct metric;
struct stat_table;

/* More levels of top-down analysis than any table has. */
#define TOPDOWN_ALL 7

/* Zeroed at first. */
struct metric_set {
	struct metric_defs defs;
	struct metric *at; /* the chosen metrics */
	size_t cnt;
	char **inputs; /* names of their events */
	struct metric_input *input_events; /* events of each input */
	size_t input_cnt;
	struct stat_named *named; /* results of the last metric_set__derive() */
	bool by_cpu;
	char cpuid[64];
};

/*
 * Chooses the metrics of a list: names, groups, name=expression; and of the groups TopdownL1 up to
 * TopdownL<levels> (0: none; TOPDOWN_ALL: those that there are). file: more definitions, or NULL.
 * by_cpu: CPUs are counted. Appends their events to `events`, which must outlive the set. 0;
 * 1: the list is "list", and was printed; -ENOMEM, or -EINVAL or another -errno after one sentence.
 */
int metric_set__choose(struct metric_set *set, const char *list, unsigned int levels,
		       const char *file, bool by_cpu, struct event_list *events);
/*
 * Chooses all metrics that this machine has, by their names alone: their events are not opened. 0,
 * -ENOMEM, or another -errno after one sentence.
 */
int metric_set__choose_all(struct metric_set *set);
void metric_set__free(struct metric_set *set);

/*
 * Sets `named` of those rows that have the first event of a metric. The results are valid until the
 * next call. 0 or -ENOMEM.
 */
int metric_set__derive(struct metric_set *set, struct stat_table *table);
#endif

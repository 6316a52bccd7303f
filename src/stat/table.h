/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The rows of bpfperf stat: the counter cells that each sums up, their growth since the last
 * reading, and mean and spread over several runs.
 */
#ifndef BPFPERF_STAT_TABLE_H
#define BPFPERF_STAT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"
#include "perf/perf_counters.h"
#include "stat/stat.h"

/* Mean and spread by Welford's algorithm. */
struct stat_mean {
	double n, mean, m2;
};

void stat_mean__add(struct stat_mean *m, double value);
/* Returns the standard deviation of the mean, like perf stat's +-; 0 for a single value. */
double stat_mean__spread(const struct stat_mean *m);

/* Nanoseconds of times that the kernel's counters do not measure. */
struct stat_times {
	uint64_t wall_ns, user_ns, system_ns;
};

struct aggr_ids;
struct rate_slices;
struct stat_slot; /* source of a row's numbers */

struct stat_table {
	struct stat_row *rows;
	struct stat_slot *slots;
	size_t cnt;
	double wall_ns; /* wall-clock time of the rows: mean of the runs, or the interval */
	enum aggr_mode apart;
	unsigned int cache_level; /* of STAT_BY_CACHE; 0: the highest */
	struct aggr_ids *places; /* for rows by node, socket, die or core; owned */
};

/*
 * Makes the rows of `events`; cgroups: by event, the path of its control group or NULL, kept by
 * reference; NULL: no event has one of its own. `counters` has the same events in the same order,
 * without those of EVENT_TOOL. With aggregation by place the rows of a place are adjacent, else
 * those of an event. cache_level: of STAT_BY_CACHE; 0: the highest. 0 or -ENOMEM.
 */
int stat_table__init(struct stat_table *t, const struct event_list *events,
		     const char *const *cgroups, const struct perf_counters *counters,
		     enum aggr_mode apart, unsigned int cache_level);
void stat_table__free(struct stat_table *t);

/*
 * Adds the growth since the last call (a new set of counters begins at 0) as one more run. `times`
 * are absolute, like counters.
 */
void stat_table__take(struct stat_table *t, const struct perf_counters *counters,
		      const struct stat_times *times);
/* A new run begins: the next counters begin at 0. */
void stat_table__restart(struct stat_table *t);
/* A new interval begins: drops the results so far. */
void stat_table__clear(struct stat_table *t);
/* Forgets the rates noted so far: what follows has bounds of its own. */
void stat_table__forget_rates(struct stat_table *t);
/* Fills the rows, except their `why`, from the runs so far. raw: not extrapolated. */
void stat_table__finish(struct stat_table *t, bool raw);
/*
 * Notes the rates of the counters as they are now, for the bounds of metrics; to be called often
 * while they count. Returns whether any counter takes turns.
 */
bool stat_table__note_rates(struct stat_table *t, const struct perf_counters *counters);
/* Rates of a row's counter in raw counts; NULL: none were noted. */
const struct rate_slices *stat_table__rates(const struct stat_table *t, size_t row);
/* Returns the row's units per raw count. */
double stat_table__unit(const struct stat_table *t, size_t row);
/* Returns the index of a row's event among the counters; -1: it has none. */
ssize_t stat_table__counter(const struct stat_table *t, size_t row);
/*
 * For a row with a counter: returns whether one of its cells was in error state
 * (perf_counters__in_error()) at the last stat_table__take().
 */
bool stat_table__in_error(const struct stat_table *t, size_t row);
/* Returns whether all threads of the row have exited. */
bool stat_table__is_over(const struct stat_table *t, const struct perf_counters *counters,
			 size_t row);

#endif

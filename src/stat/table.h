/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The rows of bpfperf stat: which cells of the counters each sums up, what they counted since
 * the last look, and, over several runs, mean and spread.
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
/* Standard deviation of the mean, as perf stat's +-; 0 of a single value. */
double stat_mean__spread(const struct stat_mean *m);

/* Nanoseconds of what the kernel's counters do not measure. */
struct stat_times {
	uint64_t wall_ns, user_ns, system_ns;
};

struct aggr_ids;
struct stat_slot; /* where a row's numbers come from */

struct stat_table {
	struct stat_row *rows;
	struct stat_slot *slots;
	size_t cnt;
	double wall_ns; /* of what the rows show: mean of the runs, or the interval */
	enum aggr_mode apart;
	struct aggr_ids *places; /* of rows by node, socket, die or core; owned */
};

/*
 * Makes the rows of `events`; `counters` has them in their order, without those of EVENT_TOOL. By
 * place the rows of a place stand together, else those of an event. 0 or -ENOMEM.
 */
int stat_table__init(struct stat_table *t, const struct event_list *events,
		     const struct perf_counters *counters, enum aggr_mode apart);
void stat_table__free(struct stat_table *t);

/*
 * Takes what was counted since the last call (a new set of counters begins at 0) as one more
 * run. `times` are absolute as counters are.
 */
void stat_table__take(struct stat_table *t, const struct perf_counters *counters,
		      const struct stat_times *times);
/* The next counters begin at 0 again: a new run. */
void stat_table__restart(struct stat_table *t);
/* Forgets the runs so far: a new interval. */
void stat_table__clear(struct stat_table *t);
/* Fills the rows, all but their `why`, from the runs so far. raw: not extrapolated. */
void stat_table__finish(struct stat_table *t, bool raw);
/* Index of a row's event among the counters; -1: it has none. */
ssize_t stat_table__counter(const struct stat_table *t, size_t row);
/*
 * For a row that has a counter: was a cell of it in error (perf_counters__in_error()) at the last
 * stat_table__take()?
 */
bool stat_table__in_error(const struct stat_table *t, size_t row);
/* Have all threads ended that it counts? */
bool stat_table__is_over(const struct stat_table *t, const struct perf_counters *counters,
			 size_t row);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Counters: opens, reads and closes counting perf events, for stat, for trace --counters and for
 * any other caller that needs counts.
 *
 * An event is counted in cells (perf/evset.h): one for each of its CPUs × its threads. All tasks of
 * a CPU are thread -1; a thread on any CPU has CPU -1. Events of one {…} are one perf group in each
 * cell and are read by one read(2), so that their counts are of the same moment and of the same
 * time on the PMU.
 *
 * perf_counters__open() succeeds although the kernel refuses an event: perf_counters__refusal()
 * returns the reason, and the other events count. A refusal is not logged.
 */
#ifndef BPFPERF_PERF_PERF_COUNTERS_H
#define BPFPERF_PERF_PERF_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct perf_counters;
struct event;

/* The value of a counter, and always both times. */
struct counter_count {
	uint64_t value;
	/* how long it was enabled, and how long it was on its PMU */
	uint64_t enabled_ns, running_ns;
};

/* Events that something other than perf events counts. */
struct counter_source {
	const bool *has; /* by event; copied */
	/* Returns the event's value so far on a CPU; cpu -1: on all. */
	uint64_t (*value)(void *ctx, size_t event, int cpu);
	void *ctx;
};

enum perf_counters_start {
	COUNTERS_STOPPED, /* until perf_counters__enable() */
	COUNTERS_RUNNING, /* at once */
	COUNTERS_ON_EXEC, /* when the thread, a CMD that waits, calls exec */
};

struct perf_counters_config {
	const struct event *const *events; /* in the order of the command line; kept by reference */
	size_t event_cnt;
	const int *cpus; /* copied; NULL: threads on any CPU */
	size_t cpu_cnt;
	const pid_t *tids; /* copied; NULL: all tasks, which needs cpus; an empty list is refused */
	size_t tid_cnt;
	int cgroup_fd; /* directory of a cgroup: counts only its tasks, replaces tids; -1: none */
	/* by event: replaces cgroup_fd; -1: all tasks; NULL: cgroup_fd is of all events */
	const int *cgroup_fds;
	const bool *skip; /* by event: has cells, but is not opened this time; NULL: none */
	bool user_read; /* counters of CPUs are read in user space if the kernel permits */
	bool inherit; /* new threads and children count with their parent, */
	size_t noinherit_cnt; /* except children of this number of tids at the end */
	/* struct tp_keepalive holds the tracepoints open: closing these is cheap */
	bool kept_alive;
	enum perf_counters_start start;
	/*
	 * Events of one cgroup_fd whose values come from there, and which no {…} has; perf events
	 * only measure their times, so that user_read is not possible. value NULL: none
	 */
	struct counter_source other;
};

enum counter_state {
	COUNTER_COUNTS, /* counts in at least one cell */
	COUNTER_REFUSED, /* the kernel refuses it in every cell: <not supported> */
	COUNTER_GROUP_BROKEN, /* a member of its group was refused, so the group does not count */
	COUNTER_NO_TASK, /* every thread had ended before it was opened */
	COUNTER_SKIPPED, /* skipped by perf_counters_config */
};

/* Why an event does not count as requested. */
struct counter_refusal {
	enum counter_state state;
	int err; /* -errno of the refused event; or 0 */
	size_t event; /* the refused one: this event, or the member that broke its group */
	bool alone_too; /* it is refused outside of its group, too */
	bool user_only; /* counts user space only: no permission for the kernel */
	bool ungrouped; /* W: its group was refused, and split */
	bool machine_wide; /* counts all tasks: its PMU has no per-task counting */
};

/*
 * Opens the counters. Returns NULL and errno, after one sentence: ENOMEM; EMFILE: the limit of
 * files is too low; ESRCH: the list of threads is empty.
 */
struct perf_counters *perf_counters__open(const struct perf_counters_config *cfg);
/*
 * Releases all. Tracepoints that are not kept_alive are closed by a child process, since that takes
 * the kernel long. NULL is accepted.
 */
void perf_counters__free(struct perf_counters *c);

/*
 * Switch all cells at once. With `inherit` the events of threads count all the time, and what they
 * count before the first perf_counters__enable(), and while disabled, is left out of
 * perf_counters__count(). Return 0 or -errno, also that of a cell that cannot be read.
 */
int perf_counters__enable(struct perf_counters *c);
int perf_counters__disable(struct perf_counters *c);

struct counter_refusal perf_counters__refusal(const struct perf_counters *c, size_t event);
/* Number of the event's CPUs and threads, and the CPU and thread at an index; -1: any. */
size_t perf_counters__cpu_cnt(const struct perf_counters *c, size_t event);
size_t perf_counters__tid_cnt(const struct perf_counters *c, size_t event);
int perf_counters__cpu(const struct perf_counters *c, size_t event, size_t cpu_idx);
pid_t perf_counters__tid(const struct perf_counters *c, size_t event, size_t tid_idx);
/*
 * Returns the fd of a cell, for a BPF perf-event array or a mapping (-1: none). Counters that BPF
 * reads must not be inherited.
 */
int perf_counters__fd(const struct perf_counters *c, size_t event, size_t cpu_idx, size_t tid_idx);

/*
 * Reads every cell once, each group by one read. Returns 0, or -errno of the first cell that cannot
 * be read: it keeps its last count, and the others are read all the same.
 */
int perf_counters__read(struct perf_counters *c);
/*
 * Returns what was counted while the counters were enabled, as of the last perf_counters__read();
 * 0: it never counted.
 */
struct counter_count perf_counters__count(const struct perf_counters *c, size_t event,
					  size_t cpu_idx, size_t tid_idx);
/* Returns the sum over all cells. */
struct counter_count perf_counters__sum(const struct perf_counters *c, size_t event);
/*
 * Was a cell of the event in error state at the last read: pinned, but without a counter when it
 * was to go on the PMU? The kernel disables such an event for good.
 */
bool perf_counters__in_error(const struct perf_counters *c, size_t event);
bool perf_counters__cell_in_error(const struct perf_counters *c, size_t event, size_t cpu_idx,
				  size_t tid_idx);
/* Has a thread ended? Then the kernel no longer reports which of its events are in error state. */
bool perf_counters__is_over(const struct perf_counters *c, size_t event, size_t tid_idx);

/*
 * Number of cell reads that user_read did in user space, and by read(2); one sentence on the reason
 * of the last read(2), or NULL. A reason of a PMU of the CPU precedes those of other events.
 */
struct counter_reads {
	uint64_t user, by_read;
	const char *why;
};
struct counter_reads perf_counters__reads(const struct perf_counters *c);

void counter_count__add(struct counter_count *sum, const struct counter_count *more);
/* Returns now − then. */
struct counter_count counter_count__since(const struct counter_count *now,
					  const struct counter_count *then);
/*
 * Returns the value extrapolated to the whole enabled time, like perf does: value × enabled ÷
 * running. 0 if it never ran.
 */
uint64_t counter_count__scaled(const struct counter_count *count);

#endif

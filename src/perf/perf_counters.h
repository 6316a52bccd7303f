/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Counters: the one place where counting perf events are opened, read and closed, for stat,
 * for trace --counters and for whoever else wants a number.
 *
 * An event is counted in cells (perf/evset.h): one for each of its CPUs × its threads. All tasks of a
 * CPU are one thread, -1; a thread on whatever CPU is one CPU, -1. Events of one {…} are one perf
 * group in each cell and are read by one read(2), so that their counts are of the same moment
 * and of the same time on the PMU.
 *
 * A refused event is no error of perf_counters__open(): it is told by perf_counters__refusal(), and the others
 * count. Nothing is printed here.
 */
#ifndef BPFPERF_PERF_PERF_COUNTERS_H
#define BPFPERF_PERF_PERF_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct perf_counters;
struct event;

/* The value of a counter, always with both times. */
struct counter_count {
	uint64_t value;
	uint64_t enabled_ns, running_ns; /* wanted that long; on its PMU that long */
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
	int cgroup_fd; /* directory of a cgroup: only its tasks, in place of tids; <= 0: none */
	const bool *skip; /* by event: laid out, but not opened this time; NULL: none */
	bool user_read; /* counters of CPUs are read in user space where the kernel lets it */
	bool inherit; /* threads and children made from now on count with their parent; */
	size_t noinherit_cnt; /* not so those of the last so many of tids */
	bool kept_alive; /* struct tp_keepalive has the tracepoints: they are closed at no cost */
	enum perf_counters_start start;
};

enum counter_state {
	COUNTER_COUNTS, /* in at least one cell */
	COUNTER_REFUSED, /* the kernel takes it in no cell: <not supported> */
	COUNTER_GROUP_BROKEN, /* a member of its group was refused, so the group does not count */
	COUNTER_NO_TASK, /* every thread had ended when it was to be opened */
	COUNTER_SKIPPED, /* not wanted this time */
};

/* Why an event does not count as asked. */
struct counter_refusal {
	enum counter_state state;
	int err; /* -errno of what was refused; 0 */
	size_t event; /* the refused one: this event, or the member that broke its group */
	bool alone_too; /* it is refused also outside of its group */
	bool user_only; /* counts, but without the kernel: the right to more is missing */
	bool ungrouped; /* W: its group was refused and was split */
	bool machine_wide; /* counts all tasks: its PMU knows no threads */
};

/*
 * NULL and errno, after one sentence: ENOMEM, EMFILE where the limit of files is too low, ESRCH where the list of
 * threads is empty.
 */
struct perf_counters *perf_counters__open(const struct perf_counters_config *cfg);
/*
 * Releases all; tracepoints that are not kept_alive in a child of its own, since that takes the kernel long.
 * NULL is fine.
 */
void perf_counters__free(struct perf_counters *c);

/* All cells at once. 0 or -errno. */
int perf_counters__enable(struct perf_counters *c);
int perf_counters__disable(struct perf_counters *c);

struct counter_refusal perf_counters__refusal(const struct perf_counters *c, size_t event);
/* The cells of an event: its CPUs and threads; -1: any. */
size_t perf_counters__cpu_cnt(const struct perf_counters *c, size_t event);
size_t perf_counters__tid_cnt(const struct perf_counters *c, size_t event);
int perf_counters__cpu(const struct perf_counters *c, size_t event, size_t cpu_idx);
pid_t perf_counters__tid(const struct perf_counters *c, size_t event, size_t tid_idx);
/*
 * The fd of a cell, for a BPF perf-event array or a mapping (-1: none). Counters that BPF reads
 * must not be inherited.
 */
int perf_counters__fd(const struct perf_counters *c, size_t event, size_t cpu_idx, size_t tid_idx);

/*
 * Reads every cell once, groups by one read each. 0, or -errno of the first that cannot be read: it keeps
 * what it had, and the others are read all the same.
 */
int perf_counters__read(struct perf_counters *c);
/* Counts as of the last perf_counters__read(), since the counters were opened; 0: never counted. */
struct counter_count perf_counters__count(const struct perf_counters *c, size_t event,
					  size_t cpu_idx, size_t tid_idx);
/* Sums up the counts of all cells. */
struct counter_count perf_counters__sum(const struct perf_counters *c, size_t event);
/*
 * Was a cell of it found in error state at the last read: pinned, and without a counter when it
 * was to be put on the PMU? The kernel gives such a one up for good.
 */
bool perf_counters__in_error(const struct perf_counters *c, size_t event);
bool perf_counters__cell_in_error(const struct perf_counters *c, size_t event, size_t cpu_idx,
				  size_t tid_idx);
/* Has a thread ended? Then the kernel does not tell its events in error state any more. */
bool perf_counters__is_over(const struct perf_counters *c, size_t event, size_t tid_idx);

/*
 * How many reads of cells user_read did in user space, and how many it did by read(2); one sentence on why
 * the last of these, or NULL.
 */
struct counter_reads {
	uint64_t user, by_read;
	const char *why;
};
struct counter_reads perf_counters__reads(const struct perf_counters *c);

void counter_count__add(struct counter_count *sum, const struct counter_count *more);
/* since = now − then. */
struct counter_count counter_count__since(const struct counter_count *now,
					  const struct counter_count *then);
/*
 * The value extrapolated to the whole enabled time, as perf does: value × enabled ÷ running.
 * 0 where it never ran.
 */
uint64_t counter_count__scaled(const struct counter_count *count);

#endif

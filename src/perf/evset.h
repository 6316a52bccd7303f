/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Perf events × CPUs × threads → file descriptors: the one layout for counters of stat
 * (perf/perf_counters.h), events of record (perf/sampling.h) and samplers of stack. struct evsel
 * is libperf's perf_evsel, and fds[] its xyarray.
 *
 * A cell is one CPU × one thread. All tasks of a CPU are thread -1; a thread on any CPU is CPU -1.
 * Events of one {…} that have identical cells form a perf group in each cell.
 *
 * evset__init → evset__add, each event → evset__form_groups → the owner fills each attr →
 * evset__open_cell, each leader and cell → … → evset__free. Nothing is printed here.
 */
#ifndef BPFPERF_PERF_EVSET_H
#define BPFPERF_PERF_EVSET_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/perf_event.h>

struct event;

struct evsel {
	const struct event
		*ev; /* kept by reference; NULL: an event that its owner adds (a dummy) */
	const char *name;
	struct perf_event_attr attr; /* the owner's; with same_attr as the kernel accepted it */
	int *cpus;
	size_t cpu_cnt;
	pid_t *tids;
	size_t tid_cnt;
	int *fds; /* cpu_cnt × tid_cnt, the threads of a CPU adjacent; -1: not open */
	size_t leader; /* index of the leader of the event's group; without a group its own */
	size_t member_cnt; /* of a leader: number of members, itself included; they follow it */
	size_t inherit_cnt; /* attr.inherit applies to this number of tids, from the first on */
	int cgroup_fd; /* replaces tids; -1: none */
	const char *filter; /* set on each fd when it is opened; NULL: none. Kept by reference */
	bool skipped; /* the owner does not open its cells */
	bool ungrouped; /* in a group, but opened outside of it */
	bool may_drop_kernel; /* if refused, retry with user space only */
	bool user_only; /* it was opened with user space only */
	bool same_attr; /* all cells have one attr: after a refusal no other cell is tried */
	bool is_settled; /* the kernel has accepted the attr */
	bool always_on; /* evset__enable() and evset__disable() omit it */
	bool has_aux; /* its ring has an AUX area */
};

struct evset {
	struct evsel *events;
	size_t cnt, cap;
	/* struct tp_keepalive holds the tracepoints open: closing these is cheap */
	bool kept_alive;
};

/* CPUs and threads of an event; the arrays are copied. */
struct evset_target {
	const int *cpus; /* cpu_cnt 0: threads on any CPU */
	size_t cpu_cnt;
	const pid_t *tids; /* tid_cnt 0: all tasks of the CPUs */
	size_t tid_cnt;
	size_t noinherit_cnt; /* children of this number of tids at the end are not followed */
	int cgroup_fd; /* directory of a cgroup, replaces tids; < 0: none */
	bool system_wide; /* all tasks, ignoring tids; without cpus, all CPUs of the event */
};

/* Allocates memory for cap events. Returns 0 or -ENOMEM. */
int evset__init(struct evset *set, size_t cap);
/* Closes all fds: tracepoints by a child, as their last close is slow. A zeroed set is accepted. */
void evset__free(struct evset *set);

/*
 * Appends an event with all its cells closed. Of the target's CPUs, the event gets those that its
 * PMU has: possibly none. 0 or -errno.
 */
int evset__add(struct evset *set, const struct event *ev, const struct evset_target *target);
/*
 * Determines the leaders. An event becomes `ungrouped` if its cells differ from its leader's, or if
 * only some members of its group are skipped. Copies of a group in other cgroups are groups of
 * their own.
 */
void evset__form_groups(struct evset *set);

/*
 * Can the event, and its group, be inherited by children? A probe cannot: the kernel reads its path
 * or its function's name once more in the process that forks, does not find it there, and the fork
 * fails with EFAULT (all kernels up to 7.2: perf_uprobe_init(), perf_kprobe_init()).
 */
bool evset__can_inherit(const struct evset *set, size_t idx);

static inline size_t evsel__cell_cnt(const struct evsel *sel)
{
	return sel->cpu_cnt * sel->tid_cnt;
}

static inline int evsel__cpu(const struct evsel *sel, size_t cell)
{
	return sel->cpus[cell / sel->tid_cnt];
}

static inline pid_t evsel__tid(const struct evsel *sel, size_t cell)
{
	return sel->tids[cell % sel->tid_cnt];
}

bool evsel__is_open(const struct evsel *sel);

/* The cell's task has ended, or its CPU is offline: no error, other cells can be opened. */
static inline bool evset__is_gone(int err)
{
	return err == -ESRCH || err == -ENODEV;
}

/*
 * Opens one event in one cell, in the group of its leader, which must be open there. Refused opens
 * are retried with a higher limit of files; with lower precision, for modifier P; without fields
 * that older kernels refuse; with user space only, if may_drop_kernel is set. Returns 0 or -errno;
 * -EACCES: no permission.
 */
int evset__open_member(struct evset *set, size_t idx, size_t cell);
/*
 * Opens a leader in one cell, and then its members. Returns 0; an error for which evset__is_gone():
 * no event of the group is open in that cell; another -errno: the event *bad was refused, and those
 * before it are open.
 */
int evset__open_cell(struct evset *set, size_t leader, size_t cell, size_t *bad);
/*
 * Can the event be opened in this cell without its group? Returns 0 or -errno; the event is closed
 * again.
 */
int evset__try_alone(const struct evset *set, size_t idx, size_t cell);
/* Closes the fds of one event in this process, which may take long for a tracepoint. */
void evsel__close(struct evsel *sel);
/* Closes a group; each member becomes its own leader, and `ungrouped`. */
void evset__split_group(struct evset *set, size_t leader);

/*
 * Enable or disable all leaders; members follow. evset__enable() omits events that an exec enables.
 * Both return 0 or -errno.
 */
int evset__enable(struct evset *set);
int evset__disable(struct evset *set);
/*
 * A task that forks during evset__enable() copies an event that is still disabled, and the kernel
 * may add the copy to the children of the event when their turn is over; the copy, and its copies
 * in turn, would take no sample until the end. This enables such copies. It is first called after
 * EVSET_COPY_NS, and again after evset__copy_gap(): a task may fork during this call as well, and
 * on a busy machine it may lose its CPU while it forks. Counters do without
 * (perf/perf_counters.h). Returns 0 or -errno.
 */
#define EVSET_COPY_NS 2000000ull
int evset__enable_copies(struct evset *set);
/*
 * Returns the time from the call of evset__enable_copies() with that number, from 1 on, which used
 * took_ns of its CPU, until the next one; 0: it was the last one.
 */
uint64_t evset__copy_gap(unsigned int call, uint64_t took_ns);
/* Calls ioctl(2) on each open cell, until one fails. Returns 0 or -errno. */
int evsel__ioctl(const struct evsel *sel, unsigned long request, unsigned long arg);

#endif

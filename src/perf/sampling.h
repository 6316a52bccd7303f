/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Perf events of `bpfperf record`, which write samples into rings, in the four modes of perf record.
 * Their cells (perf/evset.h) are:
 *
 *   default       all CPUs × the threads, inherited by what they start
 *   per thread    CPU -1 × the threads, not inherited
 *   -C, -a        the CPUs × -1
 *
 * Behind the events of the command line there is one more, a dummy, for which the kernel writes
 * records of processes: COMM, MMAP2, FORK, EXIT and the rest. It has all CPUs, also with -C: a task
 * that runs on a CPU may have been created on another.
 */
#ifndef BPFPERF_PERF_SAMPLING_H
#define BPFPERF_PERF_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/evset.h"

struct event_list;

/* Samples per second without -F and -c, as with perf record. Tracepoints are sampled each time. */
#define SAMPLING_DEFAULT_HZ 4000

/* Fields of samples, and how often they are taken. */
struct sampling_how {
	uint64_t freq_hz, period; /* one of them, for all events; both 0: each event's own */
	bool callchain; /* by frame pointer */
	uint32_t user_stack_sz; /* for unwinding later: registers and so many bytes of the stack */
	bool lbr; /* callchains of user code from the branch records of the CPU */
	bool addr, data_src, weight, period_field, cpu, phys_addr; /* fields besides the usual */
	uint64_t branches; /* PERF_SAMPLE_BRANCH_*; 0: none */
	bool all_user, all_kernel;
	bool use_clockid;
	int clockid;
	bool overwrite; /* rings that are written backward and overwrite, but for the dummy's */
	bool mmap_data; /* mappings that are not code, too */
	bool namespaces, cgroups; /* records of them; they cost at each fork */
	bool no_build_id; /* mappings are identified by device and inode */
};

enum sampling_start {
	SAMPLING_STOPPED, /* until sampling_events__enable() */
	SAMPLING_ON_EXEC, /* when the thread, a CMD that waits, calls exec */
};

struct sampling_config {
	const struct event_list *events; /* kept by reference */
	struct sampling_how how;
	const int *cpus; /* copied; cpu_cnt 0: threads on any CPU */
	size_t cpu_cnt;
	const pid_t *tids; /* copied; tid_cnt 0: all tasks */
	size_t tid_cnt;
	int cgroup_fd; /* directory of a cgroup: only its tasks; < 0: none */
	bool inherit; /* children of the threads are sampled, too */
	size_t noinherit_cnt; /* but not children of the last so many threads */
	enum sampling_start start;
	size_t ring_sz; /* bytes; wakes after a quarter */
	size_t track_ring_sz; /* bytes of the dummy's rings */
	size_t aux_sz; /* bytes of the AUX area; 0: AUX events are refused */
	bool keep_self; /* samples of bpfperf itself, too */
};

struct sampling_events {
	struct evset set; /* the events of the list, then the dummy, whose ev is NULL */
	bool counts_lost; /* PERF_FORMAT_LOST (6.0) */
};

/* Opens everything, stopped. 0, or -errno after one sentence; *cp is NULL then. */
int sampling_events__open(struct sampling_events **cp, const struct sampling_config *cfg);
/* The last close of a tracepoint takes the kernel long: a child does it. NULL is accepted. */
void sampling_events__free(struct sampling_events *c);

/* All events but the dummy, which runs from the start. 0 or -errno. */
int sampling_events__enable(struct sampling_events *c);
int sampling_events__disable(struct sampling_events *c);
/*
 * Sets the filters of tracepoints (--filter), and excludes bpfperf's own threads from samples of whole
 * CPUs. Call when all threads of bpfperf exist. 0, or -errno after one sentence.
 */
int sampling_events__filter(struct sampling_events *c, bool keep_self);
/* The ids that samples of an event carry, one a cell that is open; caller frees. NULL and errno. */
uint64_t *sampling_events__ids(const struct sampling_events *c, size_t event, size_t *cnt);
/* Records of an event that found its ring full, by the kernel's count; 0 where it does not count. */
uint64_t sampling_events__lost(const struct sampling_events *c, size_t event);

#endif

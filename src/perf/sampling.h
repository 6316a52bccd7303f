/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Perf events of `bpfperf record`, which write samples into rings, in the four modes of perf
 * record. Their cells (perf/evset.h) are:
 *
 *   default       all CPUs × the threads, inherited by their children
 *   per thread    CPU -1 × the threads, not inherited
 *   -C, -a        the CPUs × -1
 *
 * The events of the command line are followed by a dummy, for which the kernel writes the records
 * of processes: COMM, MMAP2, FORK, EXIT and the rest. It covers all CPUs, even with -C: a task that
 * runs on a CPU may have been created on another one.
 */
#ifndef BPFPERF_PERF_SAMPLING_H
#define BPFPERF_PERF_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/evset.h"

struct event_list;

/*
 * Samples per second without -F and -c, the default of perf record. Tracepoints are sampled at each
 * hit.
 */
#define SAMPLING_DEFAULT_HZ 4000
/* Bytes of stack in a sample where neither --call-graph nor the event says, as in perf record. */
#define SAMPLING_STACK_SZ 8192

/* The fields of samples, and their rate. */
struct sampling_how {
	/* one of the two, for all events; both 0: each event has its own */
	uint64_t freq_hz, period;
	bool callchain; /* callchains by frame pointer */
	uint32_t user_stack_sz; /* for unwinding later: registers and this number of stack bytes */
	bool lbr; /* callchains of user code from the branch records of the CPU */
	bool addr, data_src, weight, period_field, cpu, phys_addr; /* optional fields */
	uint64_t branches; /* PERF_SAMPLE_BRANCH_*; 0: none */
	bool all_user, all_kernel;
	bool use_clockid;
	int clockid;
	bool overwrite; /* rings are written backward and overwrite; the dummy's do not */
	bool mmap_data; /* records of mappings without code, too */
	bool namespaces; /* records of namespaces, which cost at each fork */
	bool cgroups; /* records of control groups, and that of each sample */
	bool no_build_id; /* mappings are identified by device and inode */
	bool no_bpf; /* no records of BPF programs */
	bool switches; /* records of the switches between tasks */
	bool raw, transaction, data_page_sz, code_page_sz; /* optional fields */
	uint64_t user_regs, intr_regs; /* registers (asm/perf_regs.h) of samples; 0: none */
	bool user_callchains, kernel_callchains; /* callchains of one side alone */
	bool no_samples; /* the events count, and take no samples */
	bool thread_counts; /* a record with the counts of each thread at its end */
	bool running_time; /* counts in samples have the times enabled and running */
	bool no_buffering; /* the reader is woken by each record */
	/* bytes of the AUX area of a group's leader in samples of its members; 0: none */
	uint32_t aux_sample_sz;
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
	int cgroup_fd; /* directory of a cgroup: samples only its tasks; < 0: none */
	bool inherit; /* samples children of the threads, too */
	size_t noinherit_cnt; /* except children of this number of threads at the end */
	enum sampling_start start;
	size_t ring_sz; /* bytes; the reader is woken when a quarter is full */
	size_t track_ring_sz; /* bytes of the dummy's rings */
	size_t aux_sz; /* bytes of the AUX area; 0: AUX events are refused */
	bool keep_self; /* samples bpfperf itself, too */
	bool has_aux; /* set by open(): some event has an AUX area */
};

struct sampling_events {
	struct evset set; /* the events of the list, then the dummy, which has ev NULL */
	bool counts_lost; /* PERF_FORMAT_LOST (6.0) */
};

/* Opens all events, stopped. Returns 0, or -errno after one sentence; *cp is then NULL. */
int sampling_events__open(struct sampling_events **cp, const struct sampling_config *cfg);
/*
 * Frees all. A child closes tracepoints, which takes long for the last event of each. NULL is
 * accepted.
 */
void sampling_events__free(struct sampling_events *c);

/* Enables all events but the dummy, which runs from the start. Returns 0 or -errno. */
int sampling_events__enable(struct sampling_events *c);
/* evset__enable_copies() */
int sampling_events__enable_copies(struct sampling_events *c);
int sampling_events__disable(struct sampling_events *c);
/*
 * Sets the filters of tracepoints (--filter), and excludes bpfperf's own threads from samples of
 * whole CPUs. Call it when all threads of bpfperf exist. Returns 0, or -errno after one sentence.
 */
int sampling_events__filter(struct sampling_events *c, bool keep_self);
/*
 * Returns the ids in samples of an event, one per open cell; the caller frees them. NULL and errno.
 */
uint64_t *sampling_events__ids(const struct sampling_events *c, size_t event, size_t *cnt);
/*
 * Returns the records of an event that found its ring full, by the kernel's count; 0 if the kernel
 * does not count.
 */
uint64_t sampling_events__lost(const struct sampling_events *c, size_t event);

#endif

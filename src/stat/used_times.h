/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The processor time used by processes, threads, CPUs or a control group. Tasks that have exited
 * keep their last known time in the sum.
 */
#ifndef BPFPERF_STAT_USED_TIMES_H
#define BPFPERF_STAT_USED_TIMES_H

#include <stddef.h>
#include <stdint.h>

struct cpu_times;
struct used_time;

enum used_by {
	USED_BY_PROCESS, /* a pid; includes the children that it has waited for */
	USED_BY_THREAD, /* a tid */
	USED_BY_CPU, /* a CPU number */
	USED_BY_MACHINE, /* 0: all CPUs */
	USED_BY_CGROUP, /* fd of the cgroup's directory, which stays open */
};

/* Zeroed at first. */
struct used_times {
	struct used_time *used;
	size_t cnt, cap;
	struct cpu_times *cpus; /* values of the last reading */
	size_t cpu_cnt;
};

/* Adds a task, CPU or cgroup to the sum. 0 or -ENOMEM. */
int used_times__add(struct used_times *times, enum used_by by, int id);
/* Reads the times again; the sum is valid until the next call. */
void used_times__read(struct used_times *times);
void used_times__sum(const struct used_times *times, uint64_t *user_ns, uint64_t *system_ns);
/* Removes all tasks. */
void used_times__free(struct used_times *times);

#endif

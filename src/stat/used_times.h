/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The processor time that processes, threads, CPUs or a control group have used. Tasks that have
 * exited stay in the sum with their last known time.
 */
#ifndef BPFPERF_STAT_USED_TIMES_H
#define BPFPERF_STAT_USED_TIMES_H

#include <stddef.h>
#include <stdint.h>

struct cpu_times;
struct used_time;

enum used_by {
	USED_BY_PROCESS, /* its pid; with the children it has waited for */
	USED_BY_THREAD, /* its tid */
	USED_BY_CPU, /* its number */
	USED_BY_MACHINE, /* 0: all its CPUs */
	USED_BY_CGROUP, /* its directory's fd, which stays open */
};

/* Begins zeroed. */
struct used_times {
	struct used_time *used;
	size_t cnt, cap;
	struct cpu_times *cpus; /* as of the last look */
	size_t cpu_cnt;
};

/* 0 or -ENOMEM. */
int used_times__add(struct used_times *times, enum used_by by, int id);
/* Asks the kernel again: what the sum is from now on. */
void used_times__look(struct used_times *times);
void used_times__sum(const struct used_times *times, uint64_t *user_ns, uint64_t *system_ns);
/* Forgets all tasks. */
void used_times__free(struct used_times *times);

#endif

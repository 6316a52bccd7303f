/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What counters.c and counters_open.c share. */
#ifndef BPFPERF_PERF_PERF_COUNTERS_PRIV_H
#define BPFPERF_PERF_PERF_COUNTERS_PRIV_H

#include "selfmon/bpfperf.h"
#include "perf/perf_counters.h"

struct counter {
	const struct event *ev;
	size_t leader; /* index of the event that leads its group; its own where it is alone */
	size_t member_cnt; /* of a leader, itself included; they follow it */
	int *cpus;
	size_t cpu_cnt;
	pid_t *tids;
	size_t tid_cnt;
	int *fds; /* cpu_cnt × tid_cnt, the threads of a CPU side by side; -1: none */
	struct counter_count *counts; /* likewise */
	bool *in_error; /* likewise */
	struct counter_refusal refusal;
	struct bpfperf_counter *pages; /* likewise, where user space reads; else NULL */
	bool on_exec;
};

struct perf_counters {
	struct counter *counters; /* in the order of the events, then `clock` */
	size_t cnt;
	/*
	 * Of threads on certain CPUs: how long they ran there. To the kernel an event is wanted also
	 * while its thread is on another CPU. NULL: threads on any CPU, or everybody.
	 */
	struct counter *clock;
	void *buf; /* for the read of the largest group */
	size_t buf_sz;
	bool user_read, kept_alive;
	struct counter_reads reads;
};

/* Maps the pages of all counters of CPUs that are alone. 0 or -ENOMEM. */
int perf_counters_user__map(struct perf_counters *c);
void perf_counters_user__unmap(struct counter *ct);
/*
 * Reads a cell from its CPU, in user space where that is possible. 0; -EAGAIN: it has no page, and
 * read(2) is to do it.
 */
int perf_counters_user__read(struct perf_counters *c, struct counter *ct, size_t cell);

#endif

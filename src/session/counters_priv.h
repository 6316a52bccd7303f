/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What counters.c and counters_open.c share. */
#ifndef BPFPERF_SESSION_COUNTERS_PRIV_H
#define BPFPERF_SESSION_COUNTERS_PRIV_H

#include "session/counters.h"

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
	struct counter_refusal refusal;
	bool on_exec;
	bool in_error;
};

struct counters {
	struct counter *counters; /* in the order of the events */
	size_t cnt;
	void *buf; /* for the read of the largest group */
	size_t buf_sz;
};

#endif

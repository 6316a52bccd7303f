/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_event_open(2), and what its errors mean. */
#ifndef BPFPERF_PERF_PERF_FD_H
#define BPFPERF_PERF_PERF_FD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct event;
struct perf_event_attr;

struct perf_sampling {
	uint64_t freq_hz; /* samples per second and CPU; 0: by period */
	uint64_t period; /* events per sample */
};

/* What the event itself says: type, config, modifiers; disabled, no sampling, nothing to read. */
void perf_fd__attr(struct perf_event_attr *attr, const struct event *ev);

/*
 * perf_event_open(2), close-on-exec; where too few files are allowed, the limit is raised as far as it
 * goes. The fd or -errno, silent.
 */
int perf_fd__open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		  unsigned long flags);

/*
 * A sampling event for all tasks on one CPU, close-on-exec, not enabled yet. The fd or -errno.
 * Clocks do not tick for the idle task: an idle CPU spends its time nowhere.
 */
int perf_fd__open_sampling(const struct event *ev, const struct perf_sampling *how, int cpu);

struct perf_counting {
	pid_t pid; /* thread; -1: everybody; of_cgroup: the fd of its directory */
	int cpu; /* -1: any, of a thread */
	int group_fd; /* the leader's; -1: leads, or is alone */
	bool in_group; /* reads of the leader give the whole group */
	bool disabled, enable_on_exec, inherit;
	bool user_only; /* without the kernel and hypervisor, whatever its modifiers say */
	bool of_cgroup;
};

/*
 * A counting event, close-on-exec; its reads begin with enabled and running. The fd or -errno,
 * silent. Only perf/perf_counters.c has a use for it: all counters are opened there.
 */
int perf_fd__open_counting(const struct event *ev, const struct perf_counting *how);

/* One sentence for what perf_fd__open_sampling() returned. */
void perf_fd__explain(const struct event *ev, const struct perf_sampling *how, int cpu, int err);

#endif

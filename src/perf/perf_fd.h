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

/* The attr of the event itself: type, config, modifiers; disabled, no sampling, no read format. */
void perf_fd__attr(struct perf_event_attr *attr, const struct event *ev);

/*
 * perf_event_open(2), close-on-exec; where too few files are allowed, the limit is raised as far as it
 * goes. The fd or -errno; nothing is logged.
 */
int perf_fd__open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		  unsigned long flags);

/*
 * Of an event whose overflow runs a BPF program, stopped: perf_fd__attr(), the rate, and fields that
 * the kernel fills in for the program. Clocks do not tick for the idle task: an idle CPU spends its
 * time nowhere.
 */
void perf_fd__sampling_attr(struct perf_event_attr *attr, const struct event *ev,
			    const struct perf_sampling *how);

/* Logs why an event with perf_fd__sampling_attr() could not be opened on a CPU: one sentence. */
void perf_fd__explain(const struct event *ev, const struct perf_sampling *how, int cpu, int err);

#endif

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_event_open(2), and explanations of its errors. */
#ifndef BPFPERF_PERF_PERF_FD_H
#define BPFPERF_PERF_PERF_FD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct event;
struct perf_event_attr;

struct perf_sampling {
	uint64_t freq_hz; /* samples per second and CPU; 0: use period */
	uint64_t period; /* events per sample */
};

/*
 * Fills in the attr of the event itself: type, config, modifiers; disabled, without sampling and
 * read format.
 */
void perf_fd__attr(struct perf_event_attr *attr, const struct event *ev);

/*
 * Calls perf_event_open(2), close-on-exec; if the limit of files is too low, raises it as far as
 * possible. Returns the fd or -errno; nothing is logged.
 */
int perf_fd__open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		  unsigned long flags);

/*
 * Clears PERF_SAMPLE_PERIOD where the kernel would take each occurrence as a sample because of it,
 * whatever the period: of software events and tracepoints with a fixed period other than 1
 * (perf_swevent_event(), 6.18 at least). Readers take the period from attr.sample_period.
 */
void perf_fd__keep_rate(struct perf_event_attr *attr);

/*
 * Fills in the attr of an event with an overflow that runs a BPF program, stopped: perf_fd__attr(),
 * the rate, and the fields that the kernel provides to the program. Clocks do not tick for the idle
 * task: an idle CPU spends no time in any task.
 */
void perf_fd__sampling_attr(struct perf_event_attr *attr, const struct event *ev,
			    const struct perf_sampling *how);

/* Logs one sentence on why an event with perf_fd__sampling_attr() could not be opened on a CPU. */
void perf_fd__explain(const struct event *ev, const struct perf_sampling *how, int cpu, int err);

#endif

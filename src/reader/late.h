/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* How long a reader has waited for a CPU: time that no file is to blame for. */
#ifndef BPFPERF_READER_LATE_H
#define BPFPERF_READER_LATE_H

#include <stdint.h>
#include <sys/types.h>

/* Time that a thread, or the first one of a process, has waited for a CPU so far; 0: not known. */
uint64_t late__ready_ns(pid_t tid);

/* A process since some moment. */
struct late {
	pid_t pid;
	uint64_t begin_ns; /* CLOCK_MONOTONIC */
	uint64_t cpu_ns, ready_ns; /* the kernel's counts at that moment */
};

/* Begins now. Where the kernel does not count (no CONFIG_SCHED_INFO), late__ns() may be too low. */
void late__begin(struct late *l, pid_t pid);
/* CPU time of the process since then. */
uint64_t late__cpu_ns(const struct late *l);
/* Time since then that the process was ready to run, without a CPU. */
uint64_t late__ns(const struct late *l);

#endif

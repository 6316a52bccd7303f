/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Notices CPUs that went offline while they were observed. The kernel then takes the CPU's events
 * from it, and does not put them back when the CPU comes again (perf_event_exit_cpu() in
 * kernel/events/core.c, 7.2 at least): without a message its part would be missing, since reading
 * such an event is no error. A watch is an event without a counter on each CPU: its enabled time
 * stops with the others'.
 */
#ifndef BPFPERF_PERF_CPU_WATCH_H
#define BPFPERF_PERF_CPU_WATCH_H

#include <stddef.h>
#include <stdint.h>

struct cpu_watch {
	int *cpus;
	int *fds; /* negative: not watched */
	size_t cnt;
	uint64_t begin_ns; /* CLOCK_MONOTONIC_RAW, after the watches began */
};

/*
 * Watches these CPUs from now on; the list is copied. A CPU that cannot be watched is not, and
 * nothing is logged: the events that are observed have their own messages.
 */
void cpu_watch__open(struct cpu_watch *w, const int *cpus, size_t cnt);
/*
 * Logs a warning for each CPU that went offline: since when its events are missing. A zeroed watch
 * is accepted.
 */
void cpu_watch__report(const struct cpu_watch *w);
/* A zeroed watch is accepted. */
void cpu_watch__close(struct cpu_watch *w);

#endif

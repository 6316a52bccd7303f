/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Ticks of a sampled clock for which no program was called. The kernel calls none while another
 * program is running on that CPU (bpf_prog_active, see bpf_overflow_handler() in
 * kernel/events/core.c), misses ticks while interrupts are off, and counts neither. But the clock
 * goes on, and its program adds up the periods for which it is called, those of idle CPUs apart.
 * Some guest kernels call no program on an idle CPU: ticks that are missing there are told from
 * lost ones by the idle time of /proc/stat.
 */
#ifndef BPFPERF_PERF_LOST_TICKS_H
#define BPFPERF_PERF_LOST_TICKS_H

#include <stddef.h>
#include <stdint.h>

struct event;
struct evset;
struct perf_sampling;

struct lost_ticks {
	uint64_t all;
	uint64_t seen; /* ticks for which the program was called */
	uint64_t idle; /* the part of `seen` that found the idle task running */
	uint64_t idle_time; /* ticks for which the CPUs were idle, by /proc/stat */
	uint64_t slack; /* ticks that two readings can be off by */
};

/*
 * Returns the nanoseconds between two ticks of an event; 0: it is no clock, or some of its ticks
 * bring no sample by design.
 */
uint64_t lost_ticks__period_ns(const struct event *ev, const struct perf_sampling *how);
/*
 * Reads the ticks of all clocks of the set since they were opened; without a clock, nothing is
 * read. period_ns: by event, from lost_ticks__period_ns(). counts_fd: a map of struct
 * wire_stack_count by event and CPU, in which cnt is the sum of periods. Returns 0 or -errno.
 */
int lost_ticks__read(const struct evset *set, const uint64_t *period_ns, int counts_fd,
		     struct lost_ticks *ticks);
/*
 * Returns the ticks of busy CPUs between two readings with the difference `grown`. Idle are those
 * that found the idle task running, or as many as /proc/stat knows if these are more.
 */
uint64_t lost_ticks__busy(const struct lost_ticks *grown);
/*
 * Returns for how many of lost_ticks__busy() no program was called; 0 if they are within the slack.
 */
uint64_t lost_ticks__missed(const struct lost_ticks *grown);

#endif

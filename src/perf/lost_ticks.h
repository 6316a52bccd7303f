/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Ticks of a sampled clock for which no program was called. The kernel calls none where another
 * one is at work on that CPU (bpf_prog_active, see bpf_overflow_handler() in kernel/events/core.c),
 * lets ticks go by while interrupts are off, and counts neither. But the clock goes on, and its
 * program adds up the periods that it is called for. An idle CPU's ticks bring no sample either, and
 * are none that was lost.
 */
#ifndef BPFPERF_PERF_LOST_TICKS_H
#define BPFPERF_PERF_LOST_TICKS_H

#include <stddef.h>
#include <stdint.h>

struct event;
struct perf_sampling;

/* An event that is sampled on one CPU. */
struct ticking_event {
	int fd, cpu;
	uint32_t event; /* key of the programs' counts */
	uint64_t period_ns; /* as lost_ticks__period_ns() has it */
};

struct lost_ticks {
	uint64_t all;
	uint64_t seen; /* of those, the ones that the program was called for */
	uint64_t idle; /* of those, the ones of idle CPUs, by /proc/stat */
};

/* Nanoseconds between two ticks of an event; 0: it is no clock, or does not bring each tick. */
uint64_t lost_ticks__period_ns(const struct event *ev, const struct perf_sampling *how);
/*
 * Of all clocks among these since they were opened; without one, nothing is read. counts_fd: a map of
 * struct wire_stack_count per CPU, whose cnt is the sum of periods. idle counts from the machine's
 * start: take it from two readings. 0 or -errno.
 */
int lost_ticks__read(const struct ticking_event *at, size_t cnt, int counts_fd,
		     struct lost_ticks *ticks);
/*
 * Of what came between two readings: how many busy CPUs' ticks brought no sample; 0 where they are no
 * more than what /proc/stat cannot tell.
 */
uint64_t lost_ticks__missed(const struct lost_ticks *grown, const struct ticking_event *at,
			    size_t cnt);

#endif

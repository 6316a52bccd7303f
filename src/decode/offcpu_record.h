/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Records of bpf/offcpu.bpf.c → samples of time off the CPU. */
#ifndef BPFPERF_DECODE_OFFCPU_RECORD_H
#define BPFPERF_DECODE_OFFCPU_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/sample.h"

struct stacks;
struct wire_offcpu_entry;
struct wire_rec;
struct wire_why;

/* The parts of an absence: sleeping until the wakeup, then runnable until the thread runs. */
enum offcpu_state { OFF_ASLEEP, OFF_RUNNABLE, OFFCPU_STATES };

/* A thread that was off the CPU until end_ns; its record is of time_ns. */
struct offcpu {
	uint64_t time_ns, end_ns;
	uint32_t tid;
	bool since_before; /* it was off the CPU when the measurement began */
	const struct wire_offcpu_entry *away;
	const struct wire_why *why; /* NULL: the session does not record facts */
};

/* Fills *off from a WIRE_OFF record of sz bytes; false if it is another record, or corrupt. */
bool offcpu_record__read(const struct wire_rec *rec, struct offcpu *off);

/*
 * The end of the first part: the thread was woken, or has waited up to the end; start_ns if it was
 * runnable all the time.
 */
uint64_t offcpu__woken_ns(const struct offcpu *off);

/*
 * Fills a sample of one part, except event, cpu, comm and waker_comm; its period is in nanoseconds.
 * s points into stacks. False if the absence has no such part.
 */
bool offcpu__sample(const struct offcpu *off, enum offcpu_state part, const struct stacks *stacks,
		    struct sample *s);

#endif

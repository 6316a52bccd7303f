/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Records of bpf/offcpu.bpf.c → samples of time. */
#ifndef BPFPERF_DECODE_OFFCPU_RECORD_H
#define BPFPERF_DECODE_OFFCPU_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/sample.h"

struct stacks;
struct wire_offcpu_entry;
struct wire_rec;

/* The parts of an absence: until it was woken, and from then on until it ran. */
enum offcpu_state { OFF_ASLEEP, OFF_RUNNABLE, OFFCPU_STATES };

/* A thread that was off the CPU until end_ns. */
struct offcpu {
	uint64_t end_ns;
	uint32_t tid;
	const struct wire_offcpu_entry *away;
};

/* Fills *off from a WIRE_OFF record, of which all sz bytes are there; false where it is none or damaged. */
bool offcpu_record__read(const struct wire_rec *rec, struct offcpu *off);

/*
 * One part as a sample, all of it but event, cpu, comm and waker_comm; its period is nanoseconds.
 * s points into stacks. False where there was no such part.
 */
bool offcpu__sample(const struct offcpu *off, enum offcpu_state part, const struct stacks *stacks,
		    struct sample *s);

#endif

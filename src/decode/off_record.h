/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Records of bpf/offcpu.bpf.c → samples of time. */
#ifndef BPFPERF_DECODE_OFF_RECORD_H
#define BPFPERF_DECODE_OFF_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/sample.h"

struct stacks;
struct wire_away;
struct wire_rec;

/* The parts of an absence: until it was woken, and from then on until it ran. */
enum off_part { OFF_ASLEEP, OFF_RUNNABLE, OFF_PARTS };

/* A thread that was off the CPU until end_ns. */
struct off {
	uint64_t end_ns;
	uint32_t tid;
	const struct wire_away *away;
};

/* Fills *off from a WIRE_OFF record, of which all sz bytes are there; false where it is none or damaged. */
bool off_record__read(const struct wire_rec *rec, struct off *off);

/*
 * One part as a sample, all of it but event, cpu, comm and waker_comm; its period is nanoseconds.
 * s points into stacks. False where there was no such part.
 */
bool off__sample(const struct off *off, enum off_part part, const struct stacks *stacks,
		 struct sample *s);

#endif

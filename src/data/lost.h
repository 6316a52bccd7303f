/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Records that happened but are missing in the stream: their number, place and cause. */
#ifndef BPFPERF_DATA_LOST_H
#define BPFPERF_DATA_LOST_H

#include <stdbool.h>
#include <stdint.h>

struct event;

/* Their numbers are in recordings: new ones come last. */
enum lost_cause {
	LOST_RING_FULL, /* the reader was too slow, so the ring was full */
	LOST_NESTED, /* BPF's output helper was nested too deep on that CPU */
	LOST_NO_RING, /* a CPU that came online after the start */
	LOST_OTHER,
	LOST_PAUSED, /* a flight recorder's ring was being dumped */
	LOST_MISSED, /* the kernel skipped the program: it was already running on that CPU */
	LOST_BUDGET, /* its event was disabled (--budget) */
	LOST_ABSENT, /* the kernel never ran the program of a tracepoint that was hit */
	LOST_TRACE_OVERFLOW, /* the processor dropped packets of its trace */
	LOST_TRACE_CODE, /* the code that a trace ran through is not known */
	LOST_TRACE_DAMAGE, /* bytes of a trace that are no packets, or do not fit the code */
	LOST_TRACE_CRASH, /* the program that decodes a trace ended */
	LOST_TRACE_ABSENT, /* bytes of a trace that were lost while recording; 0: unknown number */
	LOST_TRACE_PACKET, /* packets of a trace behind one of a kind that is not decoded */
	LOST_TRACE_UNIT, /* bytes of a trace unit that the recording does not describe */
	LOST_CAUSE_CNT,
};

/* The causes before LOST_MISSED are counted by CPU. */
#define LOST_CPU_CAUSES LOST_MISSED

/* Lost records of one cause, reported at the place in the stream where they are missing. */
struct lost {
	uint64_t time_ns;
	uint64_t cnt;
	uint32_t cpu; /* UINT32_MAX: unknown (the kernel counts misses per program) */
	enum lost_cause cause;
	const struct event *event; /* NULL: any */
	int32_t tid; /* a gap of a trace: its thread; 0: any */
};

/* Are bytes of a processor's trace missing, not records? */
static inline bool lost_cause__is_trace(enum lost_cause cause)
{
	return cause >= LOST_TRACE_OVERFLOW;
}

/* Returns "ring full", "nested too deep", … for messages and formats; static storage. */
const char *lost_cause__name(enum lost_cause cause);

/*
 * Bits of the misc of a PERF_RECORD_LOST that bpfperf wrote: the cause + 1; the kernel, and other
 * recorders, have 0 there.
 */
#define LOST_MISC_SHIFT 4
#define LOST_MISC_MASK 0x3f0

static inline uint16_t lost_cause__misc(enum lost_cause cause)
{
	return (uint16_t)((cause + 1) << LOST_MISC_SHIFT);
}

/* The cause of such a misc; LOST_RING_FULL where it has none. */
static inline enum lost_cause lost_cause__of_misc(uint16_t misc)
{
	unsigned int nr = (misc & LOST_MISC_MASK) >> LOST_MISC_SHIFT;

	return nr && nr <= LOST_CAUSE_CNT ? (enum lost_cause)(nr - 1) : LOST_RING_FULL;
}

#endif
